#include "admit/json_writer.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "base/utf8.h"

namespace airlock {

namespace {

// Bytes that may not be copied as they are; those of UTF-8 that can begin something to escape: C2
// (C1 controls), E2 (separators, bidirectional controls), EF (the byte-order mark).
constexpr std::array<bool, 256> make_special() {
  std::array<bool, 256> special{};
  for (std::size_t c = 0; c < 0x20; ++c) special[c] = true;
  special['"'] = special['\\'] = special[0x7F] = true;
  special[0xC2] = special[0xE2] = special[0xEF] = true;
  return special;
}
constexpr std::array<bool, 256> kSpecial = make_special();

bool is_terminal_control(char32_t value) {
  return (value >= 0x7F && value <= 0x9F) || (value >= 0x200E && value <= 0x200F) ||
         (value >= 0x2028 && value <= 0x202E) || (value >= 0x2066 && value <= 0x2069) ||
         value == 0xFEFF;
}

void append_ascii(std::string& out, char c) {
  static constexpr std::string_view kFrom = "\"\\\b\f\n\r\t";
  static constexpr std::string_view kTo = "\"\\bfnrt";
  if (const std::size_t known = kFrom.find(c); known != std::string_view::npos) {
    out += '\\';
    out += kTo[known];
  } else {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(c));
  }
}

template <typename Number>
void append_number(std::string& out, Number value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), end);
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  std::size_t kept = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (!kSpecial[byte]) {
      ++at;
      continue;
    }
    const CodePoint point = decode_utf8(text, at);
    const std::size_t bytes = point.bytes == 0 ? 1 : point.bytes;
    if (byte >= 0x80 && !is_terminal_control(point.value)) {
      at += bytes;
      continue;
    }
    out.append(text, kept, at - kept);
    if (byte < 0x80)
      append_ascii(out, text[at]);
    else
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(point.value));
    at += bytes;
    kept = at;
  }
  out.append(text, kept, text.size() - kept);
  out += '"';
}

void append_json_integer(std::string& out, std::int64_t value) {
  append_number(out, value);
}

void append_json_natural(std::string& out, std::uint64_t value) {
  append_number(out, value);
}

void append_json_number(std::string& out, double value) {
  const std::size_t begin = out.size();
  append_number(out, value);
  if (out.find_first_of(".e", begin) == std::string::npos) out += ".0";
}

}  // namespace airlock
