// Works on the text, not on parsed values: an integer of thirty digits keeps them all.
#include "present/report/validate_preview.h"

#include "base/identifier.h"
#include "base/printable.h"

namespace airlock::cli {

namespace {

constexpr std::size_t kMaxString = 48;  // columns of one string value

// The string literal that starts at `at`, with its quotes.
std::string_view literal_at(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
  return text.substr(at, end + 1 - at);
}

}  // namespace

std::string fitted(std::string_view text, std::size_t columns) {
  std::string out;
  std::size_t used = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Glyph glyph = glyph_at(text, at);
    const bool is_last = at + glyph.bytes >= text.size();
    // One column is kept for the mark, except behind the last character, where there is nothing to
    // cut.
    if (used + glyph.columns + (is_last ? 0 : 1) > columns) return out + "…";
    out += glyph.text;
    used += glyph.columns;
    at += glyph.bytes;
  }
  return out;
}

std::string preview(std::string_view text, std::size_t columns) {
  std::string out;
  // A character has at most four bytes, so nothing behind this many bytes can still be shown.
  for (std::size_t at = 0; at < text.size() && out.size() < columns * 4;) {
    const char c = text[at];
    if (c != '"') {
      out += c;
      if (c == ',' || c == ':') out += ' ';
      ++at;
      continue;
    }
    const std::string_view literal = literal_at(text, at);
    at += literal.size();
    const std::string_view inner = literal.substr(1, literal.size() < 2 ? 0 : literal.size() - 2);
    const bool is_name = at < text.size() && text[at] == ':';
    if (is_name && is_identifier(inner)) {
      out += inner;
    } else {
      out += '"' + fitted(inner, kMaxString) + '"';
    }
  }
  return fitted(out, columns);
}

}  // namespace airlock::cli
