// The rules as Markdown: docs/rules.md and SARIF's help. The texts in the table are plain; what
// Markdown would read as its own (the underscores of __class__, the angles of <think>) is
// markdown_text here, and an example that contains a fence gets a longer one around it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/ascii.h"
#include "present/report/explain.h"

namespace airlock::cli {

namespace {

// Rules by the hundreds of their codes: 0 cleaning, 1 syntax, 2 security, 3 signature.
struct Family {
  std::string_view title;
  std::string_view about;
  unsigned hundreds;
};

constexpr std::array kFamilies = {
    Family{"Cleaning",
           "What was changed in a model's answer to get at the code. Notes; nothing is refused.",
           0},
    Family{"Syntax", "The text is not a program that can be read.", 1},
    Family{"Security", "The program could reach something that the policy does not give it.", 2},
    Family{"Signature", "The program is not an extractor: `def extract(path: str) -> dict`.", 3},
};

bool belongs(const Rule& rule, const Family& family) {
  return static_cast<unsigned>(rule.code) / 100 == family.hundreds;
}

std::string markdown_text(std::string_view text) {
  constexpr std::string_view kSpecial = "\\`*_<>[]|~";
  std::string out;
  for (const char c : text) {
    if (kSpecial.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// A fence longer than any run of backticks inside, as CommonMark asks.
std::string fenced(std::string_view code) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : code) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(std::max<std::size_t>(3, longest + 1), '`');
  // Only an example that is itself a fence is not Python.
  return fmt::format("{}{}\n{}\n{}\n", fence, longest >= 3 ? "text" : "python", code, fence);
}

std::string anchor(const Rule& rule) {
  return lower(rule.name);
}

std::string_view bad_heading(const Rule& rule) {
  if (rule.severity == Severity::kNote) return "As it came:";
  return rule.severity == Severity::kWarning ? "Warned about:" : "Refused:";
}

std::string_view good_heading(const Rule& rule) {
  return rule.severity == Severity::kNote ? "As it is judged:" : "Instead:";
}

void append_contents(std::string& out, const Family& family) {
  fmt::format_to(std::back_inserter(out),
                 "\n## {}\n\n{}\n\n| rule | severity | what it says | kind |\n|---|---|---|---|\n",
                 family.title, family.about);
  for (const Rule& rule : all_rules()) {
    if (!belongs(rule, family)) continue;
    fmt::format_to(std::back_inserter(out), "| [{}](#{}) | {} | {} | `{}` |\n", rule.name,
                   anchor(rule), to_string(rule.severity), markdown_text(rule.title), rule.kind);
  }
}

void append_section(std::string& out, const Rule& rule) {
  fmt::format_to(std::back_inserter(out), "\n<a id=\"{}\"></a>\n\n### {}: {}\n\n", anchor(rule),
                 rule.name, markdown_text(rule.title));
  fmt::format_to(std::back_inserter(out), "Stage {}, {}, `{}`.\n\n{}", to_string(rule.stage),
                 to_string(rule.severity), rule.kind, rule_as_markdown(rule));
}

}  // namespace

std::string rule_as_markdown(const Rule& rule) {
  std::string out = markdown_text(rule.why) + "\n";
  if (rule.bad.empty()) {
    if (!rule.good.empty()) out += "\nInstead: " + markdown_text(rule.good) + "\n";
    return out;
  }
  fmt::format_to(std::back_inserter(out), "\n{}\n\n{}", bad_heading(rule), fenced(rule.bad));
  if (!rule.good.empty()) {
    fmt::format_to(std::back_inserter(out), "\n{}\n\n{}", good_heading(rule), fenced(rule.good));
  }
  return out;
}

std::string rules_as_markdown() {
  std::string out =
      "# Rules\n\nEvery finding of `airlock check` names one of these rules. A code is for ever: a "
      "rule may go, its "
      "code is not used again.\nThis page is printed by `airlock check --explain all`; one rule by "
      "`airlock check --explain AL203`.\n";
  for (const Family& family : kFamilies) append_contents(out, family);
  for (const Rule& rule : all_rules()) append_section(out, rule);
  return out;
}

}  // namespace airlock::cli
