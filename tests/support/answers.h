// What the tests of this folder share: one extractor's text, and short ways to ask for what becomes
// of an answer.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "text/cleaning.h"

namespace airlock::text {

inline const std::string kCode =
    "import re\n\n\ndef extract(path: str) -> dict:\n    \"\"\"Client.\"\"\"\n"
    "    m = re.search(r\"/(\\w+)/\", path)\n    return {\"client\": m.group(1)}\n";

inline Extraction extraction_of(std::string_view answer) {
  return extract_code(decode(answer).text);
}

inline CodeCandidate first_of(std::string_view answer) {
  const Extraction out = extraction_of(answer);
  return out.candidates.empty() ? CodeCandidate{} : out.candidates.front();
}

inline bool offers(std::string_view answer, std::string_view code) {
  const auto same = [&](const CodeCandidate& candidate) { return candidate.code == code; };
  return std::ranges::any_of(extraction_of(answer).candidates, same);
}

// The message of the first change with this rule; empty when there is none.
inline std::string said(const CodeCandidate& candidate, RuleCode rule) {
  const auto found = std::ranges::find(candidate.changes, rule, &CleaningChange::rule);
  return found == candidate.changes.end() ? "" : found->message;
}

inline Unrecoverable hopeless_of(std::string_view answer) {
  const Extraction out = extraction_of(answer);
  return out.unrecoverable.empty() ? Unrecoverable{RuleCode::kVetterFailed, 0, 0, "", "", ""}
                                   : out.unrecoverable.front();
}

// Each line with `mark` in front.
inline std::string with_marks(std::string_view code, std::string_view mark) {
  std::string out;
  bool starts = true;
  for (const char c : code) {
    if (starts) out += mark;
    out += c;
    starts = c == '\n';
  }
  return out;
}

}  // namespace airlock::text
