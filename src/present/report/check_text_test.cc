#include <gtest/gtest.h>

#include "base/utf8.h"
#include "present/report/check_writer.h"
#include "support/sample_reports.h"

namespace airlock::cli {
namespace {

std::string plain(std::vector<CheckedFile> files) {
  return check_as_text(report_of(std::move(files)), Colour::kNever);
}

Finding forbidden_eval(Place place) {
  return found(RuleCode::kForbiddenBuiltin, place, "eval", "The builtin eval is not allowed");
}

TEST(CheckText, SaysInOneLineThatAFileIsAccepted) {
  EXPECT_EQ(plain({checked("x.py", "def extract(path): return {}\n")}), "x.py: accepted\n");
}

TEST(CheckText, CountsManyFiles) {
  EXPECT_EQ(plain({checked("a.py", "x = 1\n"), checked("b.py", "x = 1\n")}),
            "2 files: 2 accepted, 0 refused\n");
  EXPECT_EQ(plain({}), "0 files: 0 accepted, 0 refused\n");
}

TEST(CheckText, ShowsPlaceRuleLineReasonAndFix) {
  EXPECT_EQ(plain({checked("x.py", "import re\nimport os\n",
                           {found(RuleCode::kForbiddenImport, {2, 7, 2, 9}, "os",
                                  "The module os is not on the list", "import os.path")})}),
            R"(x.py:2:8: error AL201: The module os is not on the list
    2 | import os
      |        ^^
      = why: Only modules on the list can be imported, wherever the import
             stands. A module that is not listed may reach files, the network or
             other programs.
      = fix: import os.path

More about a rule: airlock check --explain AL201
x.py: refused in stage security (1 error)
)");
}

TEST(CheckText, TellsTheReasonOfARuleOnce) {
  EXPECT_EQ(plain({checked("x.py", "eval(eval)\n",
                           {forbidden_eval({1, 0, 1, 4}), forbidden_eval({1, 5, 1, 9})}),
                   checked("y.py", "x = 1\n")}),
            R"(x.py:1:1: error AL203: The builtin eval is not allowed
    1 | eval(eval)
      | ^^^^
      = why: Builtins are allowed by name, wherever the name appears: as a call,
             a value, a default, a decorator. One builtin such as eval or open
             undoes every other rule.

x.py:1:6: error AL203: The builtin eval is not allowed
    1 | eval(eval)
      |      ^^^^

More about a rule: airlock check --explain AL203
2 files: 1 accepted, 1 refused (2 errors)
)");
}

TEST(CheckText, AcceptsWithWarnings) {
  EXPECT_EQ(plain({checked("x.py", "def extract(p):\n    return {}\n",
                           {found(RuleCode::kParameterName, {1, 12, 1, 13}, "p",
                                  "The first parameter is called p", "def extract(path):")})}),
            R"(x.py:1:13: warning AL307: The first parameter is called p
    1 | def extract(p):
      |             ^
      = why: The name is a convention that makes extractors alike; the call is
             positional.
      = fix: def extract(path):

x.py: accepted (1 warning)
)");
}

TEST(CheckText, PointsIntoTheAnswerAsItCameAndShowsTheCleanedLine) {
  CheckedFile file = checked("answer.md", "e = eval\n",
                             {found(RuleCode::kFenceRemoved, {1, 0, 1, 0}, "```",
                                    "Removed the Markdown fence around the code"),
                              forbidden_eval({1, 4, 1, 8})});
  file.raw = "Sure!\n> ```\n> e = eval\n> ```\n";
  file.verdict.lines.lines = {{3, 2}};
  EXPECT_EQ(plain({file}),
            R"(answer.md:3:3: note AL001: Removed the Markdown fence around the code

answer.md:3:7: error AL203: The builtin eval is not allowed
    3 | e = eval
      |     ^^^^
      = why: Builtins are allowed by name, wherever the name appears: as a call,
             a value, a default, a decorator. One builtin such as eval or open
             undoes every other rule.

More about a rule: airlock check --explain AL203
answer.md: refused in stage security (1 error)
)");
}

TEST(CheckText, MarksTheFirstLineOfAPlaceOverSeveral) {
  const std::string text =
      plain({checked("x.py", "x = [\n  eval,\n]\n", {forbidden_eval({1, 4, 3, 1})})});
  EXPECT_NE(text.find("    1 | x = [\n      |     ^\n"), std::string::npos) << text;
}

TEST(CheckText, CountsColumnsInCharactersAndMarksInColumns) {
  const std::string text =
      plain({checked("x.py", "\tx = '名前', eval\n", {forbidden_eval({1, 15, 1, 19})})});
  EXPECT_EQ(text.substr(0, text.find("      = why")),
            "x.py:1:12: error AL203: The builtin eval is not allowed\n"
            "    1 |     x = '名前', eval\n"
            "      |                 ^^^^\n");
}

TEST(CheckText, ShowsTheBytesThatCameWhenThereIsNoCode) {
  CheckedFile file = checked("x.py", "", {found(RuleCode::kNotUtf8, {2, 1, 2, 2}, "\xff", "")});
  file.raw = "a\nb\xff\n";
  const std::string text = plain({file});
  EXPECT_EQ(text.substr(0, text.find("      = why")),
            "x.py:2:2: error AL106: The source is not UTF-8\n"
            "    2 | b\\xff\n"
            "      |  ^^^^\n");
}

TEST(CheckText, KeepsTheLinesOfAFix) {
  Finding finding = forbidden_eval({1, 0, 1, 4});
  finding.suggestion = "Parse it:\n\x1b[0mvalue = int(text)\n";
  const std::string text = plain({checked("x.py", "eval\n", {finding})});
  EXPECT_NE(text.find("      = fix: Parse it:\n             \\x1b[0mvalue = int(text)\n"),
            std::string::npos)
      << text;
}

TEST(CheckText, LetsNobodyDriveTheTerminalOrForgeALine) {
  Finding finding = forbidden_eval({1, 0, 1, 4});
  finding.item = "\x1b[2J";
  finding.message = "bad\r\nx.py: accepted\x1b]0;t\x07\u202e\u009b";
  finding.suggestion = "\x1b[2J\rok\u2066";
  CheckedFile file = checked("a\nb.py: accepted\x1b[2J\u202e\xff",
                             "eval \x1b[2J\u202e\x07\xff\r\x0b\n", {finding});
  const std::string text = plain({file});
  EXPECT_EQ(text.find_first_of("\x1b\r\x07\x0b"), std::string::npos) << text;
  EXPECT_EQ(text.find("\u202e"), std::string::npos);
  EXPECT_EQ(text.find("\u009b"), std::string::npos);
  EXPECT_FALSE(find_invalid_utf8(text));
  EXPECT_EQ(text.find("\nx.py: accepted"), std::string::npos);
  EXPECT_EQ(text.find("\nb.py: accepted"), std::string::npos);
  EXPECT_TRUE(
      text.starts_with("a\\nb.py: accepted\\x1b[2J<U+202E>\\xff:1:1: error AL203: bad\\r\\n"));
}

TEST(CheckText, SurvivesEveryPlace) {
  for (const std::string_view code : {"", "\n", "x", "東\n😀", "a\r\nb\n"}) {
    CheckedFile file = checked("x.py", std::string(code), findings_at_impossible_places());
    EXPECT_FALSE(plain({file}).empty());
    file.verdict.lines.lines = {{kHuge, -5}, {0, 2147483647}};
    EXPECT_FALSE(plain({file}).empty());
    file.raw.clear();
    EXPECT_FALSE(plain({file}).empty());
  }
}

TEST(CheckText, ShowsOnlyAWindowOfAVeryLongLine) {
  const std::string line = "x = [" + std::string(1000000, '1') + ", eval]";
  const auto at = static_cast<std::uint32_t>(line.find("eval"));
  const std::string text = plain({checked("x.py", line, {forbidden_eval({1, at, 1, at + 4})})});
  EXPECT_LT(text.size(), 1000U);
  EXPECT_NE(text.find("1111, eval]\n"), std::string::npos) << text;
  EXPECT_TRUE(text.starts_with("x.py:1:1000008: error"));
}

TEST(CheckText, ColoursWhatMattersAndNothingElse) {
  const std::string accepted =
      check_as_text(report_of({checked("x.py", "x = 1\n")}), Colour::kAlways);
  EXPECT_EQ(accepted, "\x1b[1;32m✓ x.py: accepted\x1b[0m\n");
  const std::string refused = check_as_text(
      report_of({checked("x.py", "eval\n", {forbidden_eval({1, 0, 1, 4})})}), Colour::kAlways);
  EXPECT_TRUE(refused.starts_with(
      "\x1b[1mx.py:1:1:\x1b[0m \x1b[1;31merror AL203\x1b[0m: The builtin eval is not allowed\n"
      "\x1b[34m    1 |\x1b[0m eval\n"
      "\x1b[34m      |\x1b[0m \x1b[1;31m^^^^\x1b[0m\n"))
      << refused;
}

}  // namespace
}  // namespace airlock::cli
