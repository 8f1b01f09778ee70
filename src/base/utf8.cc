#include "base/utf8.h"

namespace airlock {

namespace {

bool is_continuation(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

}  // namespace

CodePoint decode_utf8(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const auto low6 = [&](std::size_t i) { return static_cast<char32_t>(byte(i) & 0x3F); };
  if (at >= text.size()) return {};
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  // 0xC0 and 0xC1 could only begin overlong forms of ASCII.
  if (first >= 0xC2 && first <= 0xDF && is_continuation(text, at + 1)) {
    return {static_cast<char32_t>((first & 0x1F) << 6) | low6(1), 2};
  }
  if ((first & 0xF0) == 0xE0 && is_continuation(text, at + 1) && is_continuation(text, at + 2)) {
    const char32_t value = static_cast<char32_t>((first & 0x0F) << 12) | low6(1) << 6 | low6(2);
    // Below 0x800 it is overlong: two bytes would do.
    if (value >= 0x800 && (value < 0xD800 || value > 0xDFFF)) return {value, 3};
  }
  if (first >= 0xF0 && first <= 0xF4 && is_continuation(text, at + 1) &&
      is_continuation(text, at + 2) && is_continuation(text, at + 3)) {
    const char32_t value =
        static_cast<char32_t>((first & 0x07) << 18) | low6(1) << 12 | low6(2) << 6 | low6(3);
    // The same for three bytes, and nothing past the last code point.
    if (value >= 0x10000 && value <= 0x10FFFF) return {value, 4};
  }
  return {};
}

// ASCII is passed over first: it is nearly everything.
std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
      continue;
    }
    const CodePoint point = decode_utf8(text, at);
    if (point.bytes == 0) return at;
    at += point.bytes;
  }
  return std::nullopt;
}

void append_utf8(std::string& out, char32_t value) {
  const auto put = [&](char32_t byte) { out += static_cast<char>(byte); };
  if (value < 0x80) {
    put(value);
  } else if (value < 0x800) {
    put(0xC0 | value >> 6);
    put(0x80 | (value & 0x3F));
  } else if (value < 0x10000) {
    put(0xE0 | value >> 12);
    put(0x80 | (value >> 6 & 0x3F));
    put(0x80 | (value & 0x3F));
  } else {
    put(0xF0 | value >> 18);
    put(0x80 | (value >> 12 & 0x3F));
    put(0x80 | (value >> 6 & 0x3F));
    put(0x80 | (value & 0x3F));
  }
}

std::string_view cut_utf8(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  // Back to the first byte of the character that the limit would cut in two.
  while (bytes > 0 && is_continuation(text, bytes)) --bytes;
  return text.substr(0, bytes);
}

std::size_t count_code_points(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

std::string replace_invalid_utf8(std::string text) {
  auto bad = find_invalid_utf8(text);
  if (!bad) return text;
  std::string good;
  std::string_view rest = text;
  while (bad) {
    good += rest.substr(0, *bad);
    // U+FFFD, the replacement character, once for each bad byte.
    good += "\xEF\xBF\xBD";
    rest.remove_prefix(*bad + 1);
    bad = find_invalid_utf8(rest);
  }
  return good + std::string(rest);
}

}  // namespace airlock
