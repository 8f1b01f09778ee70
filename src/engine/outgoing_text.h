// Text that is about to leave this machine for a model: secrets become fingerprints, the names of
// users in paths become "user". What a path is made of stays: its folders, their number and forms.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace airlock {

struct OutgoingText {
  std::string text;
  std::size_t redactions = 0;
};

OutgoingText redact_outgoing(std::string_view text);

}  // namespace airlock
