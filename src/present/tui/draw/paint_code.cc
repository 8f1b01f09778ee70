// Two small scanners, one step a token, which always move forward and never fail: what they do not
// know is plain text. A wrong colour is the worst that can happen.
#include "present/tui/draw/paint_code.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/ascii.h"

namespace airlock::tui {

namespace {

// With the soft ones (match, case, type), which are names elsewhere: here they are only coloured.
constexpr std::array<std::string_view, 38> kKeywords = {
    "False",  "None",     "True",   "and", "as",    "assert", "async",  "await",    "break", "case",
    "class",  "continue", "def",    "del", "elif",  "else",   "except", "finally",  "for",   "from",
    "global", "if",       "import", "in",  "is",    "lambda", "match",  "nonlocal", "not",   "or",
    "pass",   "raise",    "return", "try", "while", "with",   "yield",  "type"};
constexpr std::array<std::string_view, 8> kYamlWords = {"true", "false", "null", "yes",
                                                        "no",   "on",    "off",  "~"};

// Words and numbers end where something else begins.
std::size_t end_of_word(std::string_view line, std::size_t at) {
  while (at < line.size() && (is_name_start(line[at]) || is_digit(line[at]))) ++at;
  return at;
}

std::size_t end_of_number(std::string_view line, std::size_t at) {
  while (at < line.size() && (is_name_start(line[at]) || is_digit(line[at]) || line[at] == '.'))
    ++at;
  return at;
}

void add(Line& out, std::string_view text, Ink ink) {
  if (text.empty()) return;
  if (!out.empty() && out.back().ink == ink) {
    out.back().text += text;
  } else {
    out.push_back({std::string(text), ink});
  }
}

struct StringEnd {
  std::size_t at = 0;  // after the closing quotes, or the end of the line
  bool is_closed = false;
};

StringEnd end_of_string(std::string_view line, std::size_t at, std::string_view quotes,
                        bool has_escapes) {
  while (at < line.size()) {
    if (has_escapes && line[at] == '\\') {
      at += 2;
      continue;
    }
    if (line.substr(at).starts_with(quotes)) return {at + quotes.size(), true};
    ++at;
  }
  return {line.size(), false};
}

// Line by line; between lines only an open triple-quoted string is remembered.
class PythonPainter {
 public:
  Line paint(std::string_view line) {
    Line out;
    std::size_t at = 0;
    if (!open_.empty()) at = go_on_with_string(line, out);
    while (at < line.size()) at = step(line, at, out);
    wants_name_ = false;
    return out;
  }

 private:
  std::size_t go_on_with_string(std::string_view line, Line& out) {
    const StringEnd end = end_of_string(line, 0, open_, true);
    if (end.is_closed) open_ = {};
    add(out, line.substr(0, end.at), Ink::kString);
    return end.at;
  }

  std::size_t step(std::string_view line, std::size_t at, Line& out) {
    const char c = line[at];
    if (c == '#') {
      add(out, line.substr(at), Ink::kComment);
      return line.size();
    }
    if (c == '"' || c == '\'') return string(line, at, at, out);
    if (is_digit(c)) {
      const std::size_t end = end_of_number(line, at);
      add(out, line.substr(at, end - at), Ink::kNumber);
      return end;
    }
    if (is_name_start(c)) return word(line, at, out);
    add(out, line.substr(at, 1), c == '@' && out.empty() ? Ink::kDefinition : Ink::kPlain);
    return at + 1;
  }

  // `begin`: where its prefix (r, f, b) stands.
  std::size_t string(std::string_view line, std::size_t begin, std::size_t quote, Line& out) {
    const std::string_view three = line.substr(quote, 3);
    const bool is_long = three == "\"\"\"" || three == "'''";
    const std::string quotes(is_long ? three : three.substr(0, 1));
    const StringEnd end = end_of_string(line, quote + quotes.size(), quotes, true);
    if (is_long && !end.is_closed) open_ = quotes;
    add(out, line.substr(begin, end.at - begin), Ink::kString);
    return end.at;
  }

  std::size_t word(std::string_view line, std::size_t at, Line& out) {
    const std::size_t end = end_of_word(line, at);
    const std::string_view text = line.substr(at, end - at);
    // A word of one or two letters right before a quote is a prefix: r"", rb''.
    if (end < line.size() && (line[end] == '"' || line[end] == '\'') && text.size() <= 2) {
      return string(line, at, end, out);
    }
    const bool is_keyword = std::ranges::find(kKeywords, text) != kKeywords.end();
    const Ink ink = is_keyword ? Ink::kKeyword : wants_name_ ? Ink::kDefinition : Ink::kPlain;
    wants_name_ = text == "def" || text == "class";
    add(out, text, ink);
    return end;
  }

  std::string open_;  // the quotes of a string that goes on in the next line
  bool wants_name_ = false;
};

class YamlPainter {
 public:
  Line paint(std::string_view line) {
    Line out;
    std::size_t at = std::min(line.find_first_not_of(" -"), line.size());
    add(out, line.substr(0, at), Ink::kPlain);
    while (at < line.size()) at = step(line, at, out);
    return out;
  }

 private:
  static std::size_t step(std::string_view line, std::size_t at, Line& out) {
    const char c = line[at];
    if (c == '#' && (at == 0 || line[at - 1] == ' ')) {
      add(out, line.substr(at), Ink::kComment);
      return line.size();
    }
    if (c == '"' || c == '\'') {
      const std::size_t end = end_of_string(line, at + 1, line.substr(at, 1), c == '"').at;
      add(out, line.substr(at, end - at), Ink::kString);
      return end;
    }
    if (is_name_start(c) || is_digit(c)) return word(line, at, out);
    add(out, line.substr(at, 1), Ink::kPlain);
    return at + 1;
  }

  static std::size_t word(std::string_view line, std::size_t at, Line& out) {
    std::size_t end = at;
    while (end < line.size() && (is_name_start(line[end]) || is_digit(line[end]) ||
                                 line[end] == '.' || line[end] == '-')) {
      ++end;
    }
    const std::string_view text = line.substr(at, end - at);
    const bool is_key =
        end < line.size() && line[end] == ':' && (end + 1 == line.size() || line[end + 1] == ' ');
    const bool is_number =
        std::ranges::all_of(text, [](char c) { return is_digit(c) || c == '.'; });
    const bool is_word = std::ranges::find(kYamlWords, text) != kYamlWords.end();
    add(out, text,
        is_key      ? Ink::kDefinition
        : is_number ? Ink::kNumber
        : is_word   ? Ink::kKeyword
                    : Ink::kPlain);
    return end;
  }
};

}  // namespace

std::vector<Line> paint_code(std::string_view text, OutputKind kind) {
  std::vector<Line> painted;
  PythonPainter python;
  YamlPainter yaml;
  for (const std::string& line : lines_of(text)) {
    painted.push_back(kind == OutputKind::kPython ? python.paint(line) : yaml.paint(line));
  }
  return painted;
}

}  // namespace airlock::tui
