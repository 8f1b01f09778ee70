// Finds secrets in text: one pass for the words of all credentials, then, only where a word stands,
// that credential's pattern (RE2, anchored there), then runs that are too random. Time is linear in
// the text, whatever it holds.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "admit/credentials.h"

namespace airlock {

// Offsets of bytes in the text that was searched.
struct FoundSecret {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view kind;  // of the table, or of a random run
  Guess guess = Guess::kUnguessable;
};

// Not for two threads at once: patterns are compiled when they are first needed.
class SecretFinder {
 public:
  explicit SecretFinder(std::span<const CredentialKind> kinds = all_credential_kinds());
  ~SecretFinder();
  SecretFinder(const SecretFinder&) = delete;
  SecretFinder& operator=(const SecretFinder&) = delete;
  SecretFinder(SecretFinder&&) noexcept;
  SecretFinder& operator=(SecretFinder&&) noexcept;

  // By place, none overlapping another. `key`: the name under which the text stands, if any.
  std::vector<FoundSecret> find(std::string_view text, std::string_view key);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace airlock
