// The sixteen colours that every terminal has, and that its owner may have chosen: no true colour,
// no background.
#include "present/report/style.h"

#include <fmt/format.h>

#include "base/utf8.h"

namespace airlock::cli {

namespace {

std::string_view sequence(Style style) {
  switch (style) {
    case Style::kPlace:
    case Style::kHeading:
      return "\x1b[1m";
    case Style::kError:
      return "\x1b[1;31m";
    case Style::kWarning:
      return "\x1b[1;33m";
    case Style::kNote:
      return "\x1b[1;36m";
    case Style::kGutter:
      return "\x1b[34m";
    case Style::kLabel:
      return "\x1b[36m";
    case Style::kGood:
      return "\x1b[1;32m";
    case Style::kFaint:
      return "\x1b[2m";
  }
  return "";
}

}  // namespace

std::string paint(std::string_view text, Style style, Colour colour) {
  if (colour == Colour::kNever || text.empty()) return std::string(text);
  return fmt::format("{}{}\x1b[0m", sequence(style), text);
}

Style style_of(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return Style::kError;
    case Severity::kWarning:
      return Style::kWarning;
    case Severity::kNote:
      return Style::kNote;
  }
  return Style::kError;
}

// Counts code points, not columns: the texts that are wrapped have no wide characters of their own.
std::string wrap(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    const std::string_view word = text.substr(0, space);
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
    if (word.empty()) continue;
    const std::size_t length = count_code_points(word);
    if (used != 0 && used + 1 + length > width) {
      out += '\n';
      out.append(indent, ' ');
      used = 0;
    }
    if (used != 0) out += ' ';
    out += word;
    used += length + (used != 0);
  }
  return out;
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace airlock::cli
