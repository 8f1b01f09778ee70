#include "present/page/html.h"

#include <fmt/format.h>

#include "base/ascii.h"
#include "base/html_escape.h"
#include "base/printable.h"
#include "base/utf8.h"

namespace airlock::page {

namespace {

bool is_plain(char letter) {
  return letter >= ' ' && letter <= '~';
}

}  // namespace

std::string escape(std::string_view text, Odd odd) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    while (at < text.size() && is_plain(text[at])) ++at;
    append_html_escaped(out, text.substr(begin, at - begin));
    if (at == text.size()) break;
    const Glyph glyph = glyph_at(text, at);
    const bool is_spelt = glyph.text != text.substr(at, glyph.bytes);
    const bool is_marked = is_spelt && odd == Odd::kMarked;
    if (is_marked) out += "<b class=\"odd\">";
    append_html_escaped(out, glyph.text);
    if (is_marked) out += "</b>";
    at += glyph.bytes;
  }
  return out;
}

Html& Html::lines(std::string_view words) {
  while (true) {
    const std::size_t end = words.find_first_of("\n\t");
    text(words.substr(0, end));
    if (end == std::string_view::npos) return *this;
    bytes_ += words[end];
    words.remove_prefix(end + 1);
  }
}

Html& Html::typed(std::string_view words) {
  append_html_escaped(bytes_, words);
  return *this;
}

Html& Html::text_up_to(std::string_view words, std::size_t bytes) {
  const std::string_view shown = words.size() <= bytes ? words : cut_utf8(words, bytes);
  text(shown);
  if (shown.size() < words.size())
    bytes_ += fmt::format("<b class=\"cut\">… {} more bytes</b>", words.size() - shown.size());
  return *this;
}

std::string url_part(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (is_alnum(letter) || letter == '-' || letter == '.' || letter == '_' || letter == '~')
      out += letter;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(letter));
  }
  return out;
}

std::string count_of(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace airlock::page
