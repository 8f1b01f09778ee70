#include "present/report/explain.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/utf8.h"
#include "present/report/check_place.h"

namespace airlock::cli {
namespace {

TEST(RulePage, TellsAllAboutARule) {
  EXPECT_EQ(rule_page(rule(RuleCode::kForbiddenBuiltin), Colour::kNever),
            R"(AL203: The builtin is not on the policy's list

  stage     security
  severity  error
  kind      forbidden_builtin

Why
  Builtins are allowed by name, wherever the name appears: as a call, a value, a
  default, a decorator. One builtin such as eval or open undoes every other
  rule.

Refused
    e = eval

Instead
    value = int('7')
)");
}

TEST(RulePage, SaysInWordsWhatNoExampleShows) {
  const std::string page = rule_page(rule(RuleCode::kNotUtf8), Colour::kNever);
  EXPECT_EQ(page.find("Refused"), std::string::npos);
  EXPECT_TRUE(page.ends_with("\nInstead\n  Save the file as UTF-8.\n")) << page;
}

TEST(RulePage, FitsAScreenOfEightyColumns) {
  for (const Rule& row : all_rules()) {
    const std::string page = rule_page(row, Colour::kNever);
    TextLines lines(page);
    for (std::uint32_t number = 1; number <= lines.count(); ++number) {
      EXPECT_LE(count_code_points(lines.line(number)), 80U) << lines.line(number);
    }
  }
}

TEST(UnknownRule, NamesTheLikelyOne) {
  EXPECT_TRUE(unknown_rule("AL2O3").starts_with("there is no rule 'AL2O3'; did you mean AL203?\n"));
  EXPECT_TRUE(
      unknown_rule("al-203").starts_with("there is no rule 'al-203'; did you mean AL203?\n"));
  EXPECT_TRUE(unknown_rule("203").starts_with("there is no rule '203'; did you mean AL203?\n"));
  EXPECT_TRUE(unknown_rule("forbiden_import")
                  .starts_with("there is no rule 'forbiden_import'; did you mean AL201, AL202?\n"));
}

TEST(UnknownRule, GuessesNothingFarFetched) {
  EXPECT_TRUE(unknown_rule("AL999").starts_with("there is no rule 'AL999'\n"));
  EXPECT_TRUE(unknown_rule("").starts_with("there is no rule ''\n"));
}

TEST(UnknownRule, ListsAllRules) {
  const std::string text = unknown_rule("x");
  for (const Rule& row : all_rules()) {
    EXPECT_NE(text.find("  " + std::string(row.name) + "  "), std::string::npos) << row.name;
  }
}

TEST(UnknownRule, RepeatsNothingHarmful) {
  const std::string text = unknown_rule("\x1b[2J" + std::string(5000, 'x'));
  EXPECT_TRUE(text.starts_with("there is no rule '\\x1b[2Jxxx"));
  EXPECT_LT(text.find('\n'), 100U);
}

TEST(RulesAsMarkdown, LinkToASectionForEveryRule) {
  const std::string page = rules_as_markdown();
  for (const Rule& row : all_rules()) {
    std::string anchor(row.name);
    for (char& c : anchor) c = static_cast<char>(c | 0x20);
    EXPECT_NE(page.find("(#" + anchor + ")"), std::string::npos) << row.name;
    EXPECT_NE(page.find("<a id=\"" + anchor + "\"></a>\n\n### " + std::string(row.name) + ": "),
              std::string::npos)
        << row.name;
  }
}

TEST(RulesAsMarkdown, PutALongerFenceAroundAFence) {
  const std::string text = rule_as_markdown(rule(RuleCode::kFenceRemoved));
  EXPECT_NE(text.find("````text\n```python\n"), std::string::npos) << text;
}

TEST(RulesAsMarkdown, KeepSpecialNamesFromTurningBold) {
  const std::string text = rule_as_markdown(rule(RuleCode::kIntrospection));
  EXPECT_NE(text.find("().\\_\\_class\\_\\_"), std::string::npos) << text;
}

TEST(RulesAsMarkdown, AreWhatDocsRulesSays) {
  std::ifstream file(AIRLOCK_SOURCE_DIR "/docs/rules.md", std::ios::binary);
  std::stringstream page;
  page << file.rdbuf();
  EXPECT_TRUE(page.str() == rules_as_markdown())
      << "docs/rules.md is stale; run: build/airlock check --explain all > docs/rules.md";
}

}  // namespace
}  // namespace airlock::cli
