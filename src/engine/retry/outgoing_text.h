// Text that is about to leave this machine for a model: secrets become fingerprints, the names of
// users become "user", wherever they stand. What a path is made of stays: its folders, their number
// and forms, because the model has to write code for them.
//
// The last step before a prompt is sent, whoever wrote it. Immutable after construction; redact()
// may be called from several threads.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace airlock {

struct OutgoingText {
  std::string text;
  // How many places were changed.
  std::size_t redactions = 0;
};

// Made once for a set of sample paths, used for every text that goes with them.
class OutgoingRedactor {
 public:
  // The users whose homes are in these paths: /home/ann/…, C:\Users\Ann, ~ann/….
  explicit OutgoingRedactor(std::span<const std::string> paths);

  OutgoingText redact(std::string_view text) const;

 private:
  std::set<std::string> users_;
};

}  // namespace airlock
