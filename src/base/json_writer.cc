#include "base/json_writer.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <iterator>

#include "base/printable.h"
#include "base/utf8.h"

namespace airlock {

namespace {

// kHidden: whatever a reader would not see is escaped too; kControls: only what JSON demands, and
// DEL.
enum class Escapes { kHidden, kControls };

// Bytes that go into a string as they are.
constexpr std::array<bool, 256> kPlainInJson = [] {
  std::array<bool, 256> plain{};
  for (std::size_t c = 0x20; c < 0x7F; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}();

// Long texts are scanned eight bytes at a time with the usual tricks on a 64-bit word: every byte
// of kOnes is 1, every byte of kHighs has only its top bit set. The order of bytes does not matter,
// because only "is any of the eight special?" is asked.
constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
constexpr std::uint64_t kHighs = kOnes * 0x80;

// memcpy, since the bytes need not be aligned; it compiles to one load.
std::uint64_t load_eight(const char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

// The high bit of every byte that is zero; a byte above such a one may get it too, which only means
// a closer look.
constexpr std::uint64_t zeros_of(std::uint64_t word) {
  return (word - kOnes) & ~word & kHighs;
}

// The high bit of every byte from 0x7F (DEL) on.
constexpr std::uint64_t past_tilde(std::uint64_t word) {
  return (word & kHighs) | zeros_of(word ^ (kOnes * 0x7F));
}

// Eight at once: none below space, none past ~, no quote, no backslash.
bool are_plain(const char* bytes) {
  const std::uint64_t word = load_eight(bytes);
  const std::uint64_t below_space = (word - kOnes * 0x20) & ~word & kHighs;
  return (past_tilde(word) | below_space | zeros_of(word ^ (kOnes * '"')) |
          zeros_of(word ^ (kOnes * '\\'))) == 0;
}

std::size_t end_of_plain(std::string_view text, std::size_t at) {
  while (at + 8 <= text.size() && are_plain(text.data() + at)) at += 8;
  while (at < text.size() && kPlainInJson[static_cast<unsigned char>(text[at])]) ++at;
  return at;
}

bool may_hide(char c) {
  return static_cast<unsigned char>(c) >= 0x7F;
}

std::size_t find_hidden(std::string_view text, std::size_t at) {
  while (at + 8 <= text.size() && past_tilde(load_eight(text.data() + at)) == 0) at += 8;
  while (at < text.size() && !may_hide(text[at])) ++at;
  return at;
}

// One UTF-16 code unit, which is what a \u escape holds.
void append_unit(std::string& out, char32_t unit) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHex[unit >> shift & 0xF];
}

void append_escape(std::string& out, char32_t value) {
  if (value < 0x10000) {
    append_unit(out, value);
  } else {
    // JSON spells characters past U+FFFF as a pair of surrogates.
    append_unit(out, 0xD800 + ((value - 0x10000) >> 10));
    append_unit(out, 0xDC00 + ((value - 0x10000) & 0x3FF));
  }
}

void append_ascii(std::string& out, char c) {
  constexpr std::string_view kFrom = "\"\\\b\f\n\r\t";
  constexpr std::string_view kTo = "\"\\bfnrt";
  if (const std::size_t known = kFrom.find(c); known != std::string_view::npos) {
    out += '\\';
    out += kTo[known];
  } else {
    append_unit(out, static_cast<unsigned char>(c));
  }
}

// One character past ASCII, or a byte that is none; how many bytes it had.
std::size_t append_shown(std::string& out, std::string_view text, std::size_t at) {
  const CodePoint point = decode_utf8(text, at);
  if (point.bytes == 0) {
    // Surrogateescape: byte 0x80 + n becomes the lone surrogate U+DC80 + n.
    append_unit(out, 0xDC00U + static_cast<unsigned char>(text[at]));
    return 1;
  }
  if (shows_itself(point.value)) {
    out.append(text, at, point.bytes);
  } else {
    append_escape(out, point.value);
  }
  return point.bytes;
}

std::size_t append_special(std::string& out, std::string_view text, std::size_t at,
                           Escapes escapes) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte < 0x80) {
    append_ascii(out, text[at]);
    return 1;
  }
  if (escapes == Escapes::kHidden) return append_shown(out, text, at);
  out += text[at];
  return 1;
}

void append_quoted(std::string& out, std::string_view text, Escapes escapes) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = end_of_plain(text, at);
    out.append(text, at, end - at);
    at = end;
    if (at < text.size()) at += append_special(out, text, at, escapes);
  }
  out += '"';
}

template <typename Number>
void append_digits(std::string& out, Number value) {
  const fmt::format_int text(value);
  out.append(text.data(), text.size());
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  if (end_of_plain(text, 0) < text.size()) return append_quoted(out, text, Escapes::kHidden);
  // Nearly all strings are plain: one copy, with the quotes around it.
  const std::size_t start = out.size();
  out.resize(start + text.size() + 2);
  char* to = out.data() + start;
  *to = '"';
  text.copy(to + 1, text.size());
  to[text.size() + 1] = '"';
}

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

void append_raw_json_string(std::string& out, std::string_view text) {
  append_quoted(out, text, Escapes::kControls);
}

void append_shown_json(std::string& out, std::string_view json) {
  for (std::size_t at = 0; at < json.size();) {
    const std::size_t end = find_hidden(json, at);
    out.append(json, at, end - at);
    at = end;
    if (at < json.size()) at += append_shown(out, json, at);
  }
}

std::string shown_json(std::string json) {
  if (find_hidden(json, 0) == json.size()) return json;
  std::string out;
  out.reserve(json.size() + 64);
  append_shown_json(out, json);
  return out;
}

void append_json_integer(std::string& out, std::int64_t value) {
  append_digits(out, value);
}

void append_json_natural(std::string& out, std::uint64_t value) {
  append_digits(out, value);
}

void append_json_number(std::string& out, double value) {
  const std::size_t start = out.size();
  fmt::format_to(std::back_inserter(out), "{}", value);
  // 3.0 must not come back as the integer 3.
  if (out.find_first_of(".e", start) == std::string::npos) out += ".0";
}

}  // namespace airlock
