// What has passed the inner door. `Admitted` holds JSON values only, within limits, under names
// that look like no secret; `Sanitized` is an Admitted whose strings name no home folder and hold
// no known secret. Each has one maker (their Key can be made nowhere else), so what was not judged
// cannot be sanitized, and what was not sanitized cannot be stored: it does not compile.
//
// The makers are in admit/. A Key is a passkey: its constructor is private and explicit, so only
// the friend that is named in it can call the constructor that takes it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/json_tape.h"
#include "model/not_admitted.h"

namespace airlock {

namespace store::test {
struct SanitizedForTests;
}

// What the document has to be.
enum class Form : std::uint8_t {
  kProbeOutput,  // the six fields of a probe's output, no other
  kBare,         // any object, taken as a schema slice
};

class Admitted {
 public:
  class Key {
    friend class Admitter;  // admit/admit.h
    explicit Key() {}       // NOLINT(modernize-use-equals-default): or `{}` would make one
  };
  Admitted(Key, JsonTape document, Form form) : document_(std::move(document)), form_(form) {}

  const JsonTape& tape() const { return document_; }
  JsonView document() const { return {document_, JsonTape::kRoot}; }
  Form form() const { return form_; }

 private:
  JsonTape document_;
  Form form_;
};

// A secret that was found, without the secret.
struct SecretFinding {
  std::string kind;         // "github_personal_token": a row of the table of credentials
  std::string fingerprint;  // 8 hex digits; equal secrets have equal ones
  JsonPath path;            // of the string that held it; a key's path ends with the key
};

class Sanitized {
 public:
  class Key {
    friend class Sanitizer;                        // admit/sanitize.h
    friend struct store::test::SanitizedForTests;  // defined in tests/support only
    explicit Key() {}  // NOLINT(modernize-use-equals-default): or `{}` would make one
  };
  Sanitized(Key, std::string json, std::vector<SecretFinding> secrets, std::size_t more_secrets,
            std::size_t paths)
      : json_(std::move(json)),
        secrets_(std::move(secrets)),
        more_secrets_(more_secrets),
        paths_(paths) {}

  // The document, compact, UTF-8, on one line without a line end. The bytes to keep.
  std::string_view json() const { return json_; }
  const std::vector<SecretFinding>& secrets() const { return secrets_; }
  std::size_t more_secrets() const { return more_secrets_; }  // found beyond those that are listed
  std::size_t rewritten_paths() const { return paths_; }  // strings in which a path became relative

 private:
  std::string json_;
  std::vector<SecretFinding> secrets_;
  std::size_t more_secrets_;
  std::size_t paths_;
};

// The bytes of a file that a probe left, any bytes, with paths and secrets taken out. One maker, as
// above.
class RedactedFile {
 public:
  class Key {
    friend class FileRedactor;                     // admit/redact_file.h
    friend struct store::test::SanitizedForTests;  // defined in tests/support only
    explicit Key() {}  // NOLINT(modernize-use-equals-default): or `{}` would make one
  };
  RedactedFile(Key, std::string name, std::string bytes, std::vector<SecretFinding> secrets)
      : name_(std::move(name)), bytes_(std::move(bytes)), secrets_(std::move(secrets)) {}

  const std::string& name() const { return name_; }  // relative to the probe's output folder
  std::string_view bytes() const { return bytes_; }
  const std::vector<SecretFinding>& secrets() const { return secrets_; }  // paths: the name

 private:
  std::string name_;
  std::string bytes_;
  std::vector<SecretFinding> secrets_;
};

}  // namespace airlock
