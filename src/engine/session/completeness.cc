#include "engine/session/completeness.h"

#include <algorithm>
#include <array>

#include "model/rule.h"

namespace airlock {

namespace {

// In the words of CPython's parser.
constexpr std::array<std::string_view, 3> kOpenEnds = {
    "was never closed", "unterminated triple-quoted", "unexpected EOF while parsing"};
constexpr std::array<std::string_view, 2> kBlockEnds = {"expected an indented block",
                                                        "expected 'except' or 'finally' block"};

template <std::size_t kCount>
bool says_one_of(const std::string& message, const std::array<std::string_view, kCount>& words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return message.contains(word); });
}

// After a decorator the parser says "invalid syntax", as for anything.
bool ends_with_decorator(std::string_view code) {
  const std::size_t end = code.find_last_not_of(" \t\n");
  if (end == std::string_view::npos) return false;
  const std::size_t line_end = code.rfind('\n', end);
  const std::string_view line = code.substr(line_end == std::string_view::npos ? 0 : line_end + 1);
  const std::size_t start = line.find_first_not_of(" \t");
  return start != std::string_view::npos && line[start] == '@';
}

}  // namespace

namespace {

// A line that goes on in the next one, in a string as well; not an escaped backslash.
bool ends_with_backslash(std::string_view code) {
  if (code.ends_with('\n')) code.remove_suffix(1);
  const std::size_t last = code.find_last_not_of('\\');
  const std::size_t count = code.size() - (last == std::string_view::npos ? 0 : last + 1);
  return count % 2 == 1;
}

}  // namespace

Completeness completeness_of(const Verdict& verdict, std::string_view code) {
  if (verdict.decision == Decision::kAccepted) return Completeness::kWhole;
  const auto wrong = std::ranges::find(verdict.findings, Severity::kError, &Finding::severity);
  if (wrong == verdict.findings.end()) return Completeness::kWrong;
  const bool is_syntax =
      wrong->rule->code == RuleCode::kSyntaxError || wrong->rule->code == RuleCode::kIndentation;
  if (!is_syntax) return Completeness::kWrong;
  if (says_one_of(wrong->message, kOpenEnds) || ends_with_backslash(code))
    return Completeness::kOpen;
  if (says_one_of(wrong->message, kBlockEnds) || ends_with_decorator(code))
    return Completeness::kBlock;
  return Completeness::kWrong;
}

Result<Completeness> find_completeness(Rooms& rooms, const Policy& policy, std::string_view code) {
  const auto screened =
      TRY(rooms.screen(policy, code, run::Screening::of_piece(1), TextKind::kPiece));
  return completeness_of(screened.verdict, code);
}

}  // namespace airlock
