// Python and English share words (import, for, with, class), so a keyword proves nothing by
// itself: a line is code when its whole shape is (`import a, b as c`, `if ...:`, `name = ...`). A
// line is prose when most of its tokens are words and there are three of them, or it ends like a
// sentence. Bytes past ASCII count as letters: prose comes in every script.
#include "text/prose.h"

#include <algorithm>
#include <array>

#include "text/line_scan.h"

namespace airlock::text {

namespace {

// Eats a dotted name and the spaces behind it; false when there is none.
bool eat_dotted(std::string_view& text) {
  std::size_t at = skip_name(text, 0);
  if (at == 0) return false;
  while (at < text.size() && text[at] == '.') {
    const std::size_t end = skip_name(text, at + 1);
    if (end == at + 1) return false;
    at = end;
  }
  text = trim_left(text.substr(at));
  return true;
}

bool eat_word(std::string_view& text, std::string_view word) {
  if (!starts_with_word(text, word)) return false;
  text = trim_left(text.substr(word.size()));
  return true;
}

// What may follow a statement: nothing, a comment, another statement.
bool ends_statement(std::string_view text) {
  return text.empty() || text.front() == '#' || text.front() == ';';
}

bool is_import(std::string_view text) {
  if (!eat_word(text, "import")) return false;
  for (;;) {
    if (!eat_dotted(text)) return false;
    if (eat_word(text, "as") && !eat_dotted(text)) return false;
    if (!text.starts_with(',')) return ends_statement(text);
    text = trim_left(text.substr(1));
  }
}

bool is_from_import(std::string_view text) {
  if (!eat_word(text, "from")) return false;
  const std::size_t dots = std::min(text.find_first_not_of('.'), text.size());
  text = trim_left(text.substr(dots));
  if (!starts_with_word(text, "import") && !eat_dotted(text)) return false;
  return eat_word(text, "import") && !text.empty();
}

bool is_definition(std::string_view text) {
  eat_word(text, "async");
  if (eat_word(text, "def")) {
    const std::size_t end = skip_name(text, 0);
    return end > 0 && trim_left(text.substr(end)).starts_with('(');
  }
  if (!eat_word(text, "class")) return false;
  const std::size_t end = skip_name(text, 0);
  const std::string_view rest = trim_left(text.substr(end));
  return end > 0 && (rest.starts_with('(') || rest.starts_with(':'));
}

// A word as people write it: letters, an apostrophe or a hyphen inside, a sign of punctuation
// behind.
bool is_plain_word(std::string_view token) {
  while (!token.empty() && (token.front() == '(' || token.front() == '"' || token.front() == '*')) {
    token.remove_prefix(1);
  }
  constexpr std::string_view kBehind = ".,;:!?)\"'*";
  while (!token.empty() && kBehind.find(token.back()) != kBehind.npos) token.remove_suffix(1);
  if (token.empty()) return false;
  return std::ranges::all_of(token, [](char c) {
    return is_letter(c) || c == '\'' || c == '-' || static_cast<unsigned char>(c) >= 0x80;
  });
}

struct WordCount {
  std::size_t words = 0;
  std::size_t tokens = 0;

  // Seven of ten tokens.
  bool mostly_words() const { return tokens > 0 && words * 10 >= tokens * 7; }
};

WordCount count_words(std::string_view line) {
  WordCount count;
  for (line = trim_left(line); !line.empty(); line = trim_left(line)) {
    std::size_t end = 0;
    while (end < line.size() && !is_blank(line[end])) ++end;
    ++count.tokens;
    count.words += is_plain_word(line.substr(0, end));
    line.remove_prefix(end);
  }
  return count;
}

std::string_view without_comment(std::string_view text) {
  return trim_right(text.substr(0, text.rfind(" #")));
}

// `if x:`, `for a in b:`, `else:`, `try: # comment`, and the simple statements that prose does not
// share.
bool is_keyword_line(std::string_view text) {
  constexpr std::array<std::string_view, 13> kBlocks = {
      "if",   "elif",    "else",  "for",   "while", "try",   "except",
      "with", "finally", "async", "match", "case",  "lambda"};
  constexpr std::array<std::string_view, 9> kSimple = {
      "pass", "break", "continue", "return", "raise", "yield", "assert", "del", "global"};
  const auto starts = [&](std::string_view word) { return starts_with_word(text, word); };
  if (std::ranges::any_of(kBlocks, starts)) return without_comment(text).ends_with(':');
  for (const std::string_view word : kSimple) {
    if (!eat_word(text, word)) continue;
    const WordCount count = count_words(text);
    // "return the result of the parser" is prose, "return x" and "return f(a), b" are code.
    return ends_statement(text) || count.words < 2 || !count.mostly_words();
  }
  // Python 2: is taken for code, so that the parser says what is wrong with it.
  if (eat_word(text, "print")) return text.starts_with('"') || text.starts_with('\'');
  return false;
}

bool is_assignment_sign(std::string_view text) {
  if (text.starts_with('=')) return !text.starts_with("==");
  constexpr std::array<std::string_view, 7> kSigns = {"+=", "-=", "*=", "/=", "|=", "&=", "%="};
  return std::ranges::any_of(kSigns, [&](std::string_view sign) { return text.starts_with(sign); });
}

// `a = `, `a.b += `, `a: int = `, `a[i] = `, `a, b = `.
bool is_assignment(std::string_view text) {
  while (eat_dotted(text)) {
    if (!text.starts_with(',')) break;
    text = trim_left(text.substr(1));
  }
  if (is_assignment_sign(text)) return true;
  if (!text.starts_with(':') && !text.starts_with('[')) return false;
  // Behind an annotation or an index the sign may be anywhere; 80 bytes bound the search.
  const std::size_t sign = text.substr(0, 80).find('=');
  return sign != text.npos && is_assignment_sign(text.substr(sign));
}

// `name(...)`, `a.b(` or `name[...]`, with nothing said behind it.
bool is_call(std::string_view text) {
  std::size_t at = skip_name(text, 0);
  while (at > 0 && at < text.size() && text[at] == '.') at = skip_name(text, at + 1);
  if (at == 0 || at >= text.size() || (text[at] != '(' && text[at] != '[')) return false;
  constexpr std::string_view kEnds = ")]}:,([{\\";
  return kEnds.find(without_comment(text).back()) != kEnds.npos;
}

// Lines that are code by their signs: decorators, docstrings, closing brackets, a shebang.
bool is_sign_line(std::string_view text) {
  if (text.starts_with('@')) return skip_name(text, 1) > 1 && text.find("  ") == text.npos;
  if (text.starts_with("\"\"\"") || text.starts_with("'''")) return true;
  if (text.starts_with("r\"\"\"") || text.starts_with("#!")) return true;
  constexpr std::string_view kClosers = ")]}";
  return text.find_first_not_of(")]},:; ") == text.npos &&
         kClosers.find(text.front()) != kClosers.npos;
}

bool is_list_item(std::string_view text) {
  if (text.starts_with("- ") || text.starts_with("* ") || text.starts_with("+ ")) return true;
  std::size_t at = 0;
  while (at < text.size() && is_digit(text[at])) ++at;
  return at > 0 && at < 4 &&
         (text.substr(at).starts_with(". ") || text.substr(at).starts_with(") "));
}

bool is_lone_tag(std::string_view text) {
  return text.starts_with('<') && text.ends_with('>') && text.size() > 2;
}

bool is_rule_or_fence(std::string_view text) {
  if (text.size() < 3 || std::string_view("-*_=`~").find(text.front()) == std::string_view::npos)
    return false;
  return text.find_first_not_of(text.front()) == text.npos || text.starts_with("```") ||
         text.starts_with("~~~");
}

}  // namespace

bool is_chat_button(std::string_view line) {
  constexpr std::array<std::string_view, 14> kButtons = {
      "python",   "py",          "python3",  "copy", "copy code", "copy to clipboard",
      "edit",     "download",    "run code", "run",  "wrap",      "always show details",
      "collapse", "code snippet"};
  const std::string text = lower(trim(line));
  return text.size() < 24 && std::ranges::find(kButtons, text) != kButtons.end();
}

bool is_code_line(std::string_view line) {
  const std::string_view text = trim(line);
  if (text.empty()) return false;
  return is_import(text) || is_from_import(text) || is_definition(text) || is_sign_line(text) ||
         is_keyword_line(text) || is_assignment(text) || is_call(text);
}

bool is_prose_line(std::string_view line) {
  const std::string_view text = trim(line);
  if (text.empty() || is_code_line(text)) return false;
  if (is_list_item(text) || is_lone_tag(text) || is_rule_or_fence(text)) return true;
  if (text.starts_with("$ ") || text.starts_with("# ") || text.starts_with("##")) return true;
  if (text.starts_with('|') && text.ends_with('|')) return true;
  if (is_chat_button(text)) return true;
  const WordCount count = count_words(text);
  // A last byte past ASCII: the full stop of another script, or a word in it.
  const bool sentence = std::string_view(".!?:").find(text.back()) != std::string_view::npos ||
                        static_cast<unsigned char>(text.back()) >= 0x80;
  return count.mostly_words() && (count.words >= 3 || sentence);
}

bool is_prose(PageView page) {
  WordCount total;
  for (const PageLine& line : page) {
    if (is_code_line(line.text)) return false;
    const WordCount count = count_words(line.text);
    total.words += count.words;
    total.tokens += count.tokens;
  }
  return total.mostly_words();
}

bool is_shell_session(PageView page) {
  bool found = false;
  for (const PageLine& line : page) {
    const std::string_view text = trim(line.text);
    if (text.starts_with("$ ")) found = true;
    if (is_code_line(text)) return false;
  }
  return found;
}

}  // namespace airlock::text
