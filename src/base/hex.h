// Bytes as lower-case hex digits, two for each. Only this one form is read back: what has capitals,
// blanks or half a byte is none.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/ascii.h"

namespace airlock {

inline std::string hex_of(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * bytes.size());
  for (const char letter : bytes) {
    const auto byte = static_cast<unsigned char>(letter);
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

// Whether the text is exactly so many of these digits.
inline bool is_hex_of(std::string_view text, std::size_t digits) {
  return text.size() == digits && std::ranges::all_of(text, [](char letter) {
           return is_hex_digit(letter) && !is_upper(letter);
         });
}

inline std::optional<std::string> bytes_of_hex(std::string_view hex) {
  if (hex.size() % 2 != 0 || !is_hex_of(hex, hex.size())) return std::nullopt;
  std::string bytes;
  bytes.reserve(hex.size() / 2);
  for (std::size_t i = 0; i < hex.size(); i += 2)
    bytes += static_cast<char>(hex_value(hex[i]) * 16 + hex_value(hex[i + 1]));
  return bytes;
}

}  // namespace airlock
