// The words of CPython's parser, and what they mean to somebody who is still typing.
#include "engine/session/completeness.h"

#include <gtest/gtest.h>

#include "model/rule.h"

namespace airlock {
namespace {

Completeness refused(RuleCode code, std::string message, std::string_view text = "x\n") {
  Verdict verdict;
  Finding finding;
  finding.rule = &rule(code);
  finding.message = std::move(message);
  verdict.findings.push_back(finding);
  return completeness_of(verdict, text);
}

TEST(Completeness, FollowsTheParsersWords) {
  using enum Completeness;
  const auto says = [](std::string message, std::string_view text = "x\n") {
    return refused(RuleCode::kSyntaxError, std::move(message), text);
  };
  EXPECT_EQ(says("'(' was never closed"), kOpen);
  EXPECT_EQ(says("unterminated triple-quoted string literal (detected at line 2)"), kOpen);
  EXPECT_EQ(says("unexpected EOF while parsing"), kOpen);
  EXPECT_EQ(says("expected 'except' or 'finally' block"), kBlock);
  EXPECT_EQ(
      refused(RuleCode::kIndentation, "expected an indented block after 'if' statement on line 1"),
      kBlock);
  EXPECT_EQ(says("invalid syntax", "x = 1\n@wraps\n"), kBlock);
  EXPECT_EQ(says("invalid syntax", "x = = 1\n"), kWrong);
  EXPECT_EQ(says("unterminated string literal (detected at line 1)"), kWrong);
}

TEST(Completeness, ABackslashAtTheEndAsksForMore) {
  const auto says = [](std::string_view text) {
    return refused(RuleCode::kSyntaxError, "unterminated string literal (detected at line 1)",
                   text);
  };
  EXPECT_EQ(says("\"a\\\n"), Completeness::kOpen);
  EXPECT_EQ(says("\"a\\"), Completeness::kOpen);
  EXPECT_EQ(says("\"a\\\\\n"), Completeness::kWrong) << "an escaped one";
}

TEST(Completeness, AnythingElseIsWrong) {
  EXPECT_EQ(refused(RuleCode::kTooLarge, "was never closed"), Completeness::kWrong);
  EXPECT_EQ(completeness_of(Verdict{}, ""), Completeness::kWrong);
  Verdict accepted;
  accepted.decision = Decision::kAccepted;
  EXPECT_EQ(completeness_of(accepted, "x"), Completeness::kWhole);
}

}  // namespace
}  // namespace airlock
