// How much a document may be. A probe reports facts; what is larger belongs into a raw artifact.
//
// The defaults are generous for facts and small for memory: a document at its limit costs a few
// times its size while it is judged.
#pragma once

#include <cstddef>

namespace airlock {

struct AdmitLimits {
  std::size_t document_bytes = 32U << 20;
  std::size_t string_bytes = 4U << 20;
  std::size_t key_bytes = 512;
  std::size_t depth = 128;   // containers inside each other, the document's own included
  std::size_t errors = 100;  // that are listed; the others are counted
};

}  // namespace airlock
