// What a probe said, through the inner door: admitted, its artifacts read and redacted, sanitized;
// or every reason why not. What failed has an output too: confidence low, and the reasons in it.
//
// The same three steps as `airlock admit`, with the artifacts between. Workers use one each, the
// coordinator another for what comes from the cache.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "admit/admit.h"
#include "admit/redact_file.h"
#include "admit/sanitize.h"
#include "base/fd.h"
#include "model/admitted.h"
#include "model/run_record.h"
#include "probe/artifacts.h"

namespace airlock::probe {

// Everything in it may be kept and shown.
struct PassedOutput {
  Sanitized output;
  std::vector<RedactedFile> artifacts;
  std::vector<RecordedSecret> secrets;  // what was redacted in all of it, each once
  OutputFacts facts;
};

using Reasons = std::vector<std::string>;  // "SecretLikelyFieldNameError: github_token at (…)"

// Not for two threads at once.
class InnerDoor {
 public:
  explicit InnerDoor(const ScrubOptions& scrub);

  // `end`: by when its artifacts must be read.
  std::expected<PassedOutput, Reasons> pass(
      const RawDocument& document, const Fd& output_folder,
      std::chrono::steady_clock::time_point end = std::chrono::steady_clock::time_point::max());

  // One that has passed before, or our own: `artifacts` are the bytes of those that it names,
  // `secrets` what was found in it then. Refused when what is kept is not what it was, or the door
  // has become stricter.
  std::expected<PassedOutput, Reasons> pass_again(std::string_view document,
                                                  std::vector<std::string> artifacts,
                                                  std::vector<RecordedSecret> secrets = {});

  // Any JSON object that is to be kept; nothing if sanitizing would change it.
  std::optional<Sanitized> pass_unchanged(std::string_view object);

  // For a probe that failed. `errors` in any words, of any bytes: characters that have no glyph are
  // spelt out, paths and secrets are scrubbed.
  Sanitized failed(const Reasons& errors, std::int64_t duration_ms);

  std::string scrubbed(std::string_view text) { return scrubber_.scrubbed(text); }

 private:
  Admitter admitter_;
  Sanitizer sanitizer_;
  FileRedactor redactor_;
  TextScrubber scrubber_;
};

}  // namespace airlock::probe
