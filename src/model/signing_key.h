// Keys that sign bundles, as this user knows them. Plain values; the private half is in none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace airlock {

inline constexpr std::size_t kPublicKeyDigits = 64;  // 32 bytes as hex

// Nobody's key is known before a person has said so, and a key that was revoked stays revoked.
struct KnownKey {
  std::string public_key = {};  // kPublicKeyDigits hex digits
  std::string name = {};        // chosen by whoever trusts it; empty when it was only ever revoked
  std::string why = {};
  bool is_own = false;       // its private half lies, or lay, in the state folder
  std::int64_t trusted = 0;  // ms since 1970
  std::optional<std::int64_t> revoked = {};
  std::string revoked_why = {};
};

}  // namespace airlock
