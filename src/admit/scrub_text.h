// One text made fit to be kept: absolute paths become relative, secrets become fingerprints.
// Repeated until nothing changes, so scrubbing a scrubbed text changes nothing.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace airlock {

// Whose paths are known, and how secrets are named.
struct ScrubOptions {
  // The analysed repository, absolute, and its other names (where links lead).
  std::vector<std::string> roots;
  // Without one, a fingerprint is the beginning of the secret's SHA-256, so that anybody who has
  // the secret can find it again; what a person may have chosen gets the fingerprint of its kind,
  // because a short hash would let others try likely ones. With one, kept secret by its owner, all
  // get the beginning of an HMAC-SHA-256 under it.
  std::string fingerprint_key;
};

// "<REDACTED:fingerprint=1a2b3c4d>"
std::string redaction_mark(std::string_view fingerprint);

// One secret that was taken out; the same secret has the same fingerprint everywhere.
struct Redaction {
  std::string_view kind;
  std::string fingerprint;
};

struct Scrubbed {
  std::string text;
  std::vector<Redaction> redactions;
  bool has_rewritten_paths = false;
};

// Not for two threads at once. What it needs is built when it is first used.
class TextScrubber {
 public:
  explicit TextScrubber(ScrubOptions options = {});
  ~TextScrubber();
  TextScrubber(const TextScrubber&) = delete;
  TextScrubber& operator=(const TextScrubber&) = delete;
  TextScrubber(TextScrubber&&) noexcept;
  TextScrubber& operator=(TextScrubber&&) noexcept;

  // Any bytes. Nothing: the text may stay as it is. `key`: the name under which it stands, if any;
  // a hash that stands under a hash's name is no secret.
  std::optional<Scrubbed> scrub(std::string_view text, std::string_view key = {});

  // The scrubbed text alone.
  std::string scrubbed(std::string_view text);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace airlock
