#include <gtest/gtest.h>

#include "present/report/check_writer.h"
#include "support/sample_reports.h"

namespace airlock::cli {
namespace {

std::string github(CheckedFile file) {
  return check_as_github(report_of({std::move(file)}));
}

TEST(CheckGithub, SaysNothingWhenThereIsNothingToSay) {
  EXPECT_EQ(github(checked("x.py", "x\n")), "");
  EXPECT_EQ(check_as_github(report_of({})), "");
}

TEST(CheckGithub, WritesOneCommandAFinding) {
  EXPECT_EQ(github(checked("x.py", "import os\n",
                           {found(RuleCode::kForbiddenImport, {1, 7, 1, 9}, "os",
                                  "No os: never, 100%", "import os.path")})),
            "::error file=x.py,line=1,col=8,endLine=1,endColumn=10,"
            "title=AL201 The module is not on the policy's list::No os: never, 100%25%0Aimport "
            "os.path\n");
}

TEST(CheckGithub, KnowsWarningsAndNotices) {
  const std::string text = github(checked("x.py", "x\n",
                                          {found(RuleCode::kLineEndsChanged, {}, "", "CR LF"),
                                           found(RuleCode::kParameterName, {}, "p", "p")}));
  EXPECT_TRUE(text.starts_with("::notice file=x.py,line=1,")) << text;
  EXPECT_NE(text.find("\n::warning file=x.py,line=1,"), std::string::npos) << text;
}

TEST(CheckGithub, GivesNoColumnsForAPlaceOverSeveralLines) {
  const std::string text = github(checked(
      "x.py", "x = [\n 1]\n", {found(RuleCode::kForbiddenSyntax, {1, 4, 2, 3}, "x", "No")}));
  EXPECT_TRUE(text.starts_with("::error file=x.py,line=1,endLine=2,title=AL211 ")) << text;
}

TEST(CheckGithub, PointsIntoTheAnswerAsItCameInCharacters) {
  CheckedFile file = checked("x.py", "'名', eval\n",
                             {found(RuleCode::kForbiddenBuiltin, {1, 7, 1, 11}, "eval", "No")});
  file.raw = "Sure:\n> '名', eval\n";
  file.verdict.lines.lines = {{2, 2}};
  EXPECT_TRUE(github(file).starts_with("::error file=x.py,line=2,col=8,endLine=2,endColumn=12,"));
}

TEST(CheckGithub, LetsNoNameOrMessageStartACommand) {
  const std::string hostile = "a,b:c%0A::set-env name=X::y\r\n::stop-commands::z\x1b[0m";
  const std::string text = github(
      checked(hostile, "x\n", {found(RuleCode::kForbiddenBuiltin, {}, hostile, hostile, hostile)}));
  EXPECT_EQ(
      text,
      "::error file=a%2Cb%3Ac%250A%3A%3Aset-env name=X%3A%3Ay\\r\\n%3A%3Astop-commands%3A%3Az"
      "\\x1b[0m,line=1,col=1,endLine=1,endColumn=1,title=AL203 The builtin is not on the policy's "
      "list::a,b:c%250A::set-env name=X::y\\r\\n::stop-commands::z\\x1b[0m"
      "%0Aa,b:c%250A::set-env name=X::y%0A::stop-commands::z\\x1b[0m\n");
}

TEST(CheckGithub, SurvivesEveryPlace) {
  for (const std::string_view code : {"", "x", "東\n😀", "a\r\nb\n"}) {
    CheckedFile file = checked("x.py", std::string(code), findings_at_impossible_places());
    file.verdict.lines.lines = {{kHuge, -5}, {0, 2147483647}};
    EXPECT_FALSE(github(file).empty());
  }
}

}  // namespace
}  // namespace airlock::cli
