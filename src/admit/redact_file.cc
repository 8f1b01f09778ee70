#include "admit/redact_file.h"

#include <utility>

namespace airlock {

namespace {

// Secrets that are listed; all of them are redacted.
constexpr std::size_t kMostSecrets = 1000;

}  // namespace

RedactedFile FileRedactor::redact(std::string name, std::string bytes) {
  std::vector<SecretFinding> secrets;
  if (auto scrubbed = scrubber_.scrub(bytes)) {
    for (Redaction& one : scrubbed->redactions) {
      if (secrets.size() == kMostSecrets) break;
      secrets.push_back({std::string(one.kind), std::move(one.fingerprint), {name}});
    }
    bytes = std::move(scrubbed->text);
  }
  return {RedactedFile::Key(), std::move(name), std::move(bytes), std::move(secrets)};
}

}  // namespace airlock
