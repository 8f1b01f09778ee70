// The outcome of vetting one source. The vetter process makes it, wire/ carries it to the
// supervisor, which trusts no more of it than it must: it refuses by default (see the first field).
#pragma once

#include <string>
#include <vector>

#include "model/finding.h"
#include "model/line_map.h"

namespace airlock {

enum class Decision : std::uint8_t { kAccepted, kRefused };

struct Verdict {
  Decision decision = Decision::kRefused;
  Stage stage = Stage::kSyntax;   // the stage that refused, or kComplete
  std::vector<Finding> findings;  // sorted by place
  std::string code;               // cleaned; what the findings' places refer to
  LineMap lines;                  // cleaned line → raw line
  std::string compiled;           // of the accepted tree, on its way to become a Vetted (vetted.h)
  bool has_sets = false;          // it makes sets or hashes: what it answers may follow their order
};

// Which stages to run. The contract's --no-signature, and --no-scan of `validate`.
struct Stages {
  bool security = true;
  bool signature = true;
  bool compile = false;  // hand the accepted tree back as compiled code, to be run
  // Compile it as the nth piece of a session (python/guest_code.h); 0: as a module.
  std::uint32_t piece = 0;
};

}  // namespace airlock
