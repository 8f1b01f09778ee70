// Single bytes as ASCII: the same on every host, whatever its locale. A byte past 0x7F is neither a
// letter nor a digit, and no function here changes it.
// <cctype> is not used on purpose: its answers depend on the locale, and a negative char is
// undefined behaviour there. Everything is constexpr, so that tables can be built from it.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace airlock {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

constexpr bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

constexpr bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

constexpr bool is_letter(char c) {
  return is_lower(c) || is_upper(c);
}

constexpr bool is_alnum(char c) {
  return is_letter(c) || is_digit(c);
}

// The value of a hexadecimal digit; -1 when it is none.
constexpr int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

constexpr bool is_hex_digit(char c) {
  return hex_value(c) >= 0;
}

constexpr bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

constexpr bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return is_ascii(c); });
}

// A byte that can begin a name of a programming language, or stand in one: every byte past ASCII
// counts, since it may be a part of a letter.
constexpr bool is_name_start(char c) {
  return is_letter(c) || c == '_' || !is_ascii(c);
}

constexpr bool is_name_byte(char c) {
  return is_name_start(c) || is_digit(c);
}

constexpr char lower(char c) {
  return is_upper(c) ? static_cast<char>(c + ('a' - 'A')) : c;
}

constexpr bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

inline std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lower(c);
  return out;
}

inline std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (is_lower(c)) c = static_cast<char>(c - ('a' - 'A'));
  return out;
}

}  // namespace airlock
