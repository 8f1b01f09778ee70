#include "vet/vetter.h"

#include "support/vetting.h"

namespace airlock::vet::test {
namespace {

TEST(Vetter, EachStageStopsTheNext) {
  EXPECT_EQ(vet("x = = 1\nimport os\n").stage, Stage::kSyntax);
  EXPECT_EQ(vet("import os\n").stage, Stage::kSecurity);
  EXPECT_EQ(vet("x = 1\n").stage, Stage::kSignature);
  EXPECT_EQ(vet("def extract(path):\n    return {}\n").stage, Stage::kComplete);
}

TEST(Vetter, StagesCanBeLeftOut) {
  EXPECT_EQ(vet("import os\nx = 1\n", {.security = false, .signature = false}).decision,
            Decision::kAccepted);
  EXPECT_EQ(vet("x = 1\n", {.security = true, .signature = false}).decision, Decision::kAccepted);
}

TEST(Vetter, AWarningDoesNotRefuse) {
  const Verdict verdict = vet("def extract(p):\n    return {}\n");
  EXPECT_EQ(verdict.decision, Decision::kAccepted);
  EXPECT_TRUE(has(verdict, RuleCode::kParameterName));
}

TEST(Vetter, FindingsAreSortedByPlace) {
  const Verdict verdict = scan("import os\nx = eval\nimport sys\ny = open\n");
  EXPECT_EQ(errors_of(verdict), (std::vector<std::string>{"AL201 os 1:0", "AL203 eval 2:4",
                                                          "AL201 sys 3:0", "AL203 open 4:4"}));
}

TEST(Vetter, AReportHasAnEnd) {
  std::string code;
  for (int i = 0; i < 2000; ++i) code += "import os\n";
  const Verdict verdict = scan(code);
  EXPECT_EQ(verdict.findings.size(), 500u);
  EXPECT_NE(verdict.findings.back().message.find("and 1500 more findings"), std::string::npos);
}

TEST(Vetter, ChainsDeeperThanTheLimitAreRefused) {
  std::string chain = "x = 1";
  for (int i = 0; i < 2000; ++i) chain += " + 1";
  EXPECT_TRUE(has(scan(chain + "\n"), RuleCode::kTooDeep));
  std::string otherwise = "x = 1\nif x == 0:\n    y = 0\n";
  for (int i = 1; i < 1000; ++i) otherwise += "elif x == " + std::to_string(i) + ":\n    y = 0\n";
  EXPECT_TRUE(has(scan(otherwise), RuleCode::kTooDeep));
}

TEST(Vetter, OnlyCommentsAreNoProgram) {
  EXPECT_TRUE(has(vet("# nothing here\n"), RuleCode::kNoCode));
}

TEST(Vetter, TheSameTextHasTheSameVerdict) {
  const std::string code =
      "import os\nclass C:\n    __x = eval\n    def f(self):\n        return self.__x\n";
  const auto first = errors_of(scan(code));
  for (int i = 0; i < 20; ++i) EXPECT_EQ(errors_of(scan(code)), first);
}

TEST(Vetter, CompiledCodeComesOnlyWhenAskedForAndAccepted) {
  const std::string good = "def extract(path):\n    return {}\n";
  EXPECT_EQ(vet(good).compiled, "");
  EXPECT_NE(vet(good, {.compile = true}).compiled, "");
  EXPECT_EQ(vet("import os\n", {.compile = true}).compiled, "");
}

}  // namespace
}  // namespace airlock::vet::test
