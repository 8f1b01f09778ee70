// Text that is about to leave this machine for a model: secrets become fingerprints, the names of
// users become "user", wherever they stand. What a path is made of stays: its folders, their number
// and forms.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace airlock {

struct OutgoingText {
  std::string text;
  std::size_t redactions = 0;
};

class OutgoingRedactor {
 public:
  // The users whose homes are in these paths: /home/ann/…, C:\Users\Ann, ~ann/….
  explicit OutgoingRedactor(std::span<const std::string> paths);

  OutgoingText redact(std::string_view text) const;

 private:
  std::set<std::string> users_;
};

}  // namespace airlock
