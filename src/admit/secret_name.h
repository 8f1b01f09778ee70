// The one rule for names: a key that looks like the name of a secret is refused. Both walls use it,
// the door (admit.h) and the sanitizer (sanitize.h).
#pragma once

#include <memory>
#include <span>
#include <string_view>

namespace airlock {

struct AllowedName {
  std::string_view name;  // the whole key, exactly as it is written
  std::string_view why;
};

// Keys that match the pattern and are let through.
std::span<const AllowedName> allowed_secret_names();

// The pattern is part of the contract with probes. It is broad on purpose: `tokenizer` is refused
// too.
std::string_view secret_name_pattern();

// Not for two threads at once.
class SecretNames {
 public:
  SecretNames();
  ~SecretNames();
  SecretNames(const SecretNames&) = delete;
  SecretNames& operator=(const SecretNames&) = delete;
  SecretNames(SecretNames&&) noexcept;
  SecretNames& operator=(SecretNames&&) noexcept;

  // Matched in its plain form (base/plain_name.h), so that lookalike letters do not help.
  bool looks_secret(std::string_view key) const;

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace airlock
