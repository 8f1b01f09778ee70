// The pages for the terminal. A rule without a refused example has advice in words in `good`; with
// one, `good` is code.
#include "present/report/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <vector>

#include "base/ascii.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "present/report/check_place.h"
#include "present/report/style.h"

namespace airlock::cli {

namespace {

constexpr std::size_t kPageColumns = 80;  // columns: a page fits every terminal
constexpr std::size_t kExplainIndent = 2;

struct Headings {
  std::string_view bad;
  std::string_view good;
};

// A note refuses nothing: its examples are the text before and after cleaning.
Headings headings(const Rule& rule) {
  if (rule.severity == Severity::kNote) return {"As it came", "As it is judged"};
  if (rule.severity == Severity::kWarning) return {"Warned about", "Better"};
  return {"Refused", "Instead"};
}

std::string indented_code(std::string_view code) {
  TextLines lines(code);
  std::string out;
  for (std::uint32_t number = 1; number <= lines.count(); ++number) {
    const std::string line = printable(lines.line(number));
    if (!line.empty()) out += std::string(2 * kExplainIndent, ' ') + line;
    out += '\n';
  }
  return out;
}

std::string paragraph(std::string_view words) {
  return std::string(kExplainIndent, ' ') +
         wrap(words, kPageColumns - kExplainIndent, kExplainIndent) + "\n";
}

// What the word may have been meant to be: a bare number, a rule's kind, a code with one slip in
// it.
std::vector<std::string_view> likely_rules(std::string_view word) {
  std::uint16_t number = 0;
  const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (failure == std::errc() && end == word.data() + word.size()) {
    if (const Rule* found = find_rule(number)) return {found->name};
  }
  std::vector<std::string_view> kinds;
  for (const Rule& rule : all_rules()) kinds.push_back(rule.kind);
  const bool is_kind = std::ranges::find(kinds, word) != kinds.end();
  const std::string_view kind = is_kind ? word : nearest_word(word, kinds);
  std::vector<std::string_view> found;
  for (const Rule& rule : all_rules()) {
    if (!kind.empty() && rule.kind == kind) found.push_back(rule.name);
  }
  if (!found.empty()) return found;
  const std::string code = upper(word);
  for (const Rule& rule : all_rules()) {
    if (edit_distance(code, rule.name, 2) < 2) return {rule.name};
  }
  return {};
}

}  // namespace

std::string rule_page(const Rule& rule, Colour colour) {
  const auto heading = [&](std::string_view text) { return paint(text, Style::kHeading, colour); };
  std::string out;
  fmt::format_to(std::back_inserter(out), "{}: {}\n\n",
                 paint(rule.name, style_of(rule.severity), colour), heading(rule.title));
  fmt::format_to(std::back_inserter(out), "  stage     {}\n  severity  {}\n  kind      {}\n",
                 to_string(rule.stage), to_string(rule.severity), rule.kind);
  fmt::format_to(std::back_inserter(out), "\n{}\n{}", heading("Why"), paragraph(rule.why));
  const Headings names = headings(rule);
  if (!rule.bad.empty()) {
    fmt::format_to(std::back_inserter(out), "\n{}\n{}", heading(names.bad),
                   indented_code(rule.bad));
  }
  if (!rule.good.empty()) {
    fmt::format_to(std::back_inserter(out), "\n{}\n{}",
                   heading(rule.bad.empty() ? "Instead" : names.good),
                   rule.bad.empty() ? paragraph(rule.good) : indented_code(rule.good));
  }
  return out;
}

std::string unknown_rule(std::string_view word) {
  constexpr std::size_t kLongest = 40;
  const std::string_view shown =
      word.substr(0, character_start(word, std::min(word.size(), kLongest)));
  std::string out = fmt::format("there is no rule '{}{}'", printable(shown),
                                shown.size() < word.size() ? "…" : "");
  const std::vector<std::string_view> likely = likely_rules(word);
  if (!likely.empty()) {
    fmt::format_to(std::back_inserter(out), "; did you mean {}?", fmt::join(likely, ", "));
  }
  out += "\n\nThe rules:\n";
  for (const Rule& rule : all_rules()) {
    fmt::format_to(std::back_inserter(out), "  {}  {}\n", rule.name, rule.title);
  }
  return out;
}

}  // namespace airlock::cli
