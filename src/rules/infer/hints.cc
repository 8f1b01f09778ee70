#include "rules/infer/hints.h"

#include <re2/re2.h>

#include <array>
#include <utility>

#include "base/ascii.h"
#include "rules/infer/vocabulary.h"

namespace airlock::rules {

namespace {

// A hint with one of these words asks for something that a rule cannot say, so the answer is Python
// instead of YAML. No other word takes that back: a program too many does less harm than a rule
// that leaves out what was asked for.
struct PythonWord {
  std::string_view word;
  const char* forms;  // a pattern for the word as people write it
};
constexpr std::array<PythonWord, 20> kPythonWords = {{
    {"compute", "comput(?:e|es|ed|ing|ation)"},
    {"calculate", "calculat(?:e|es|ed|ing|ion)"},
    {"derive", "deriv(?:e|es|ed|ing)"},
    {"formula", "formulas?"},
    {"start/end", R"(starts?\s*(?:/|-|,|and|&)\s*ends?)"},
    {"range", "ranges?"},
    {"convert to", R"(convert(?:s|ed|ing)?(?:\s+\w+){0,4}\s+(?:in)?to)"},
    {"expand", "expand(?:s|ed|ing)?"},
    {"lookup", "look(?:s|ed|ing)?[- ]?ups?"},
    {"map to", R"(map(?:s|ped|ping)?(?:\s+\w+){0,4}\s+to)"},
    {"translate", "translat(?:e|es|ed|ing|ion)"},
    {"reference", "referenc(?:e|es|ed|ing)"},
    {"if", "if"},
    {"when", "when"},
    {"otherwise", "otherwise"},
    {"conditional", "conditional(?:ly)?"},
    {"combine", "combin(?:e|es|ed|ing|ation)"},
    {"merge", "merg(?:e|es|ed|ing)"},
    {"join", "join(?:s|ed|ing)?"},
    {"aggregate", "aggregat(?:e|es|ed|ing|ion)"},
}};

constexpr std::array<std::pair<std::string_view, int>, 16> kOrdinals = {{
    {"first", 1},
    {"1st", 1},
    {"second", 2},
    {"2nd", 2},
    {"third", 3},
    {"3rd", 3},
    {"fourth", 4},
    {"4th", 4},
    {"fifth", 5},
    {"5th", 5},
    {"sixth", 6},
    {"6th", 6},
    {"seventh", 7},
    {"7th", 7},
    {"eighth", 8},
    {"8th", 8},
}};

// 0 when the word is none.
int ordinal(std::string_view word) {
  for (const auto& [name, number] : kOrdinals)
    if (name == word) return number;
  return 0;
}

// "the Mission ID" → "mission_id"
std::string field_name(std::string_view words) {
  std::string name = as_identifier(words);
  for (const std::string_view article : {"the_", "a_", "an_"})
    if (name.starts_with(article)) name.erase(0, article.size());
  return name;
}

// segment(-3) = mission_id, segment(1) is client, filename = report
void read_assignments(const std::string& text, ParsedHint& hint) {
  static const re2::RE2 kAssignment(
      R"((?i)segment\s*\(\s*(-?\d{1,4})\s*\)\s*(?:=|:|is|are)\s*(?:the\s+)?([A-Za-z_][\w]*))");
  static const re2::RE2 kFile(R"((?i)\bfile\s?name\s*(?:=|:)\s*([A-Za-z_]\w*))");
  re2::StringPiece rest(text);
  int index = 0;
  std::string name;
  while (re2::RE2::FindAndConsume(&rest, kAssignment, &index, &name))
    hint.names.push_back({index, name, true});
  rest = text;
  while (re2::RE2::FindAndConsume(&rest, kFile, &name)) hint.names.push_back({-1, name, true});
}

// the second folder is the mission; the last folder is the date; the third folder from the end is …
void read_sentences(const std::string& text, ParsedHint& hint) {
  static const re2::RE2 kSentence(
      R"((?i)\b(first|second|third|fourth|fifth|sixth|seventh|eighth|last|parent|\d(?:st|nd|rd|th))\s+)"
      R"((to\s+last\s+)?(?:folder|directory|dir|segment|part|level)(\s+from\s+the\s+(?:end|right|last))?\s+)"
      R"((?:is|are|=|means|holds|contains|has)\s+((?:the\s+|a\s+|an\s+)?[A-Za-z_]+(?:\s+(?:id|number|name|code|date|type))?))");
  re2::StringPiece rest(text);
  std::string which;
  std::string to_last;
  std::string from_end;
  std::string words;
  while (re2::RE2::FindAndConsume(&rest, kSentence, &which, &to_last, &from_end, &words)) {
    which = lower(which);
    const int number = ordinal(which);
    // The last folder stands before the file's name, the second to last before that.
    const bool is_last = which == "last" || which == "parent";
    const bool is_from_end = !from_end.empty() || !to_last.empty();
    // segment(N) counts from 0, people from 1; from the end, -1 is the file's name.
    const int index = is_last ? -2 : is_from_end ? -number - 1 : number - 1;
    const std::string name = field_name(words);
    if (!name.empty()) hint.names.push_back({index, name, false});
  }
}

// the file name is the report type
void read_file_sentence(const std::string& text, ParsedHint& hint) {
  static const re2::RE2 kSentence(
      R"((?i)\bfile(?:\s?name)?\s+(?:is|means|holds|contains|has)\s+)"
      R"(((?:the\s+|a\s+|an\s+)?[A-Za-z_]+(?:\s+(?:id|number|name|code|date|type))?))");
  std::string words;
  if (!re2::RE2::PartialMatch(text, kSentence, &words)) return;
  const std::string name = field_name(words);
  if (!name.empty()) hint.names.push_back({-1, name, false});
}

}  // namespace

ParsedHint read_hint(std::string_view text) {
  ParsedHint hint;
  const std::string words(text);
  read_assignments(words, hint);
  read_sentences(words, hint);
  read_file_sentence(words, hint);
  for (const PythonWord& one : kPythonWords) {
    // Whole words only: "differently" does not ask for an if.
    const re2::RE2 whole(std::string("(?i)(?:^|\\W)(?:") + one.forms + ")(?:$|\\W)");
    if (re2::RE2::PartialMatch(words, whole)) hint.python_words.emplace_back(one.word);
  }
  hint.was_understood = !hint.names.empty() || !hint.python_words.empty();
  return hint;
}

}  // namespace airlock::rules
