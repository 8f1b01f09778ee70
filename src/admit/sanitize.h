// The only way to a persisted byte, and the only maker of Sanitized: what was admitted is judged by
// its names once more, then every string is scrubbed (scrub_text.h): values, keys, errors,
// warnings. Idempotent: sanitizing what was sanitized changes nothing.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "admit/scrub_text.h"
#include "model/admitted.h"
#include "model/not_admitted.h"

namespace airlock {

// A document written anew, and what was taken out of it.
struct ScrubbedDocument {
  std::string json;
  std::vector<SecretFinding> secrets;
  std::size_t more_secrets = 0;  // found beyond those that are listed
  std::size_t rewritten_paths = 0;
};

// Pure but for the patterns it compiles when they are first needed. Not for two threads at once.
class Sanitizer {
 public:
  explicit Sanitizer(ScrubOptions options = {});
  ~Sanitizer();
  Sanitizer(const Sanitizer&) = delete;
  Sanitizer& operator=(const Sanitizer&) = delete;
  Sanitizer(Sanitizer&&) noexcept;
  Sanitizer& operator=(Sanitizer&&) noexcept;

  // Refused only when a name looks like that of a secret: the second wall, which holds even when
  // the first was passed by. Keys that become equal are told apart by a number: "x", "x#2".
  std::expected<Sanitized, NotAdmitted> sanitize(const Admitted& admitted);

  // The work of sanitize() on any tape: the result is text, and no Sanitized.
  std::expected<ScrubbedDocument, NotAdmitted> scrub(const JsonTape& tape);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace airlock
