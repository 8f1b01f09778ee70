// A raw artifact made fit to be kept: any bytes, with paths and secrets taken out as in documents.
// The only maker of RedactedFile, which is all that a store accepts. Not for two threads at once.
#pragma once

#include <string>
#include <string_view>

#include "admit/scrub_text.h"
#include "model/admitted.h"

namespace airlock {

class FileRedactor {
 public:
  explicit FileRedactor(ScrubOptions options = {}) : scrubber_(std::move(options)) {}

  // `name` is kept as it is: the caller has checked it.
  RedactedFile redact(std::string name, std::string bytes);

 private:
  TextScrubber scrubber_;
};

}  // namespace airlock
