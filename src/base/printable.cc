// Which characters show themselves is decided by what they are (Unicode's general category and its
// list of default ignorable characters, from utf8proc), not by a list of known tricks. Unassigned
// characters are spelt out too: no table says how wide they are. U+2800 is the one blank that
// Unicode calls a symbol.
#include "base/printable.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>

#include "base/utf8.h"

namespace airlock {

namespace {

constexpr char32_t kBrailleBlank = 0x2800;

bool is_plain_ascii(unsigned char byte) {
  return byte >= 0x20 && byte < 0x7F;
}

std::string spell_ascii(unsigned char byte) {
  switch (byte) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return fmt::format("\\x{:02x}", byte);
  }
}

// Spelt-out characters are ASCII: one column a byte.
Glyph spelt(std::string text, std::size_t bytes) {
  const std::size_t columns = text.size();
  return {std::move(text), bytes, columns};
}

}  // namespace

bool shows_itself(char32_t value) {
  if (value < 0x7F) return value >= 0x20;
  const auto code = static_cast<utf8proc_int32_t>(value);
  switch (utf8proc_category(code)) {
    // Controls, format characters, unassigned, private use, surrogates; separators of lines,
    // paragraphs and words.
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_ZS:
      return false;
    default:
      return value != kBrailleBlank && !utf8proc_get_property(code)->ignorable;
  }
}

Glyph glyph_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {};
  const auto byte = static_cast<unsigned char>(text[at]);
  if (is_plain_ascii(byte)) return {std::string(1, text[at]), 1, 1};
  const CodePoint point = decode_utf8(text, at);
  // A byte that is no UTF-8 is shown alone, and reading goes on behind it.
  if (point.bytes == 0 || point.value < 0x80) return spelt(spell_ascii(byte), 1);
  if (!shows_itself(point.value)) {
    return spelt(fmt::format("<U+{:04X}>", static_cast<unsigned>(point.value)), point.bytes);
  }
  const int width = utf8proc_charwidth(static_cast<utf8proc_int32_t>(point.value));
  return {std::string(text.substr(at, point.bytes)), point.bytes,
          static_cast<std::size_t>(width < 0 ? 0 : width)};
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (is_plain_ascii(static_cast<unsigned char>(text[at]))) {
      out += text[at++];
      continue;
    }
    const Glyph glyph = glyph_at(text, at);
    out += glyph.text;
    at += glyph.bytes;
  }
  return out;
}

std::string printable_lines(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t end = text.find('\n');
    out += printable(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string printable_output(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t end = text.find_first_of("\n\t");
    std::string_view part = text.substr(0, end);
    if (end != std::string_view::npos && text[end] == '\n' && part.ends_with('\r'))
      part.remove_suffix(1);
    out += printable(part);
    if (end == std::string_view::npos) break;
    out += text[end];
    text.remove_prefix(end + 1);
  }
  return out;
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Glyph glyph = glyph_at(text, at);
    columns += glyph.columns;
    at += glyph.bytes;
  }
  return columns;
}

std::string padded(std::string_view text, std::size_t columns) {
  return printable(text) + std::string(columns - std::min(columns, columns_of(text)), ' ');
}

}  // namespace airlock
