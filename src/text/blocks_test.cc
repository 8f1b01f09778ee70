#include "text/blocks.h"

#include <gtest/gtest.h>

#include "support/answers.h"

namespace airlock::text {
namespace {

std::string fenced(std::string_view tag, std::string_view code) {
  return "```" + std::string(tag) + "\n" + std::string(code) + "```\n\n";
}

TEST(Blocks, TheBlockThatDefinesExtractWins) {
  const CodeCandidate out = first_of(fenced("python", kCode) + "It gives:\n\n" +
                                     fenced("json", "{\"client\": \"a longer text than the code: " +
                                                        std::string(500, 'x') + "\"}\n"));
  EXPECT_EQ(out.code, kCode);
  EXPECT_EQ(said(out, RuleCode::kBlockChosen),
            "Chose one of 2 code blocks (lines 1 to 9): the one that defines extract");
}

TEST(Blocks, TheLastDefinitionWinsWithAWarning) {
  const std::string second = "def extract(path):\n    return {}\n";
  const CodeCandidate out = first_of(fenced("python", kCode) + fenced("python", second));
  EXPECT_EQ(out.code, second);
  const auto change = std::ranges::find(out.changes, RuleCode::kBlockChosen, &CleaningChange::rule);
  ASSERT_NE(change, out.changes.end());
  EXPECT_EQ(change->severity, Severity::kWarning);
  EXPECT_NE(change->message.find("others do on lines 1 to 9"), std::string::npos);
}

TEST(Blocks, AnotherLanguageNeverWinsAgainstPython) {
  EXPECT_EQ(
      first_of(fenced("python", kCode) + fenced("text", "def extract(path):\n    ...\n")).code,
      kCode);
}

TEST(Blocks, AnotherLanguageWinsWhenItAloneDefinesExtract) {
  EXPECT_EQ(first_of(fenced("text", kCode)).code, kCode);
}

TEST(Blocks, ALongerNameIsAnotherFunction) {
  const std::string other =
      "def extract_all(path):\n    return [path, path, path, path, path, path]\n";
  EXPECT_EQ(
      first_of(fenced("python", "def extract (path):\n    return {}\n") + fenced("python", other))
          .code,
      "def extract (path):\n    return {}\n");
}

TEST(Blocks, HelpersThatAreNeededArePutInFront) {
  const std::string helper = "import re\nPATTERN = re.compile('x')\n";
  const std::string code = "def extract(path):\n    return {'m': bool(PATTERN.search(path))}\n";
  const CodeCandidate out = first_of(fenced("python", helper) + fenced("python", code));
  EXPECT_EQ(out.code, helper + code);
  EXPECT_EQ(out.lines.to_raw({.line = 3}).line, 7u);
  EXPECT_NE(said(out, RuleCode::kBlockChosen).find("put lines 1 to 4 in front"), std::string::npos);
}

TEST(Blocks, AHelperOfAHelperComesToo) {
  const std::string code = "def extract(path):\n    return middle(path)\n";
  EXPECT_EQ(first_of(fenced("", "BASE = 1\n") +
                     fenced("", "def middle(p):\n    return {'b': BASE}\n") + fenced("", code))
                .code,
            "BASE = 1\ndef middle(p):\n    return {'b': BASE}\n" + code);
}

TEST(Blocks, AnExampleThatOnlySharesAParameterNameIsNoHelper) {
  EXPECT_EQ(
      first_of(fenced("python", "path = '/a/b'\nprint(extract(path))\n") + fenced("python", kCode))
          .code,
      kCode);
}

TEST(Blocks, ABlockBelowIsNoHelper) {
  const std::string code = "def extract(path):\n    return helper(path)\n";
  EXPECT_EQ(
      first_of(fenced("python", code) + fenced("python", "def helper(p):\n    return {}\n")).code,
      code);
}

TEST(Blocks, WithoutADefinitionTheLargestPythonBlockIsTaken) {
  const std::string large = "def parse(path):\n    return {'path': path}\n";
  EXPECT_EQ(first_of(fenced("python", "x = 1\n") + fenced("python", large) +
                     fenced("bash", kCode.substr(0, 10)))
                .code,
            large);
}

TEST(Blocks, AnEmptyFenceIsNoCode) {
  EXPECT_EQ(hopeless_of("```python\n```\n").rule, RuleCode::kNoCode);
  EXPECT_EQ(hopeless_of("```python\n\n   \n```\n").rule, RuleCode::kNoCode);
}

TEST(Blocks, ARefusalInAFenceIsNoCode) {
  EXPECT_EQ(hopeless_of("```\nI am sorry, but I cannot help with that.\n```\n").rule,
            RuleCode::kNoCode);
}

TEST(Blocks, ShellCommandsAreNoCode) {
  EXPECT_EQ(hopeless_of("Run:\n" + fenced("bash", "pip install pandas\n")).message,
            "No code found in the answer: there are only shell commands");
}

TEST(Blocks, ADiffIsNamed) {
  const Unrecoverable out =
      hopeless_of(fenced("diff", "--- a/x.py\n+++ b/x.py\n@@ -0,0 +1 @@\n+import re\n"));
  EXPECT_EQ(out.rule, RuleCode::kNotPython);
  EXPECT_EQ(out.suggestion, "Ask for the whole file instead of a diff");
  EXPECT_EQ(hopeless_of(fenced("", "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a = 1\n+a = 2\n")).rule,
            RuleCode::kNotPython);
}

TEST(Blocks, ADiffBesideTheWholeFileIsLeftOut) {
  EXPECT_EQ(
      first_of(fenced("diff", "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n") + fenced("python", kCode))
          .code,
      kCode);
}

}  // namespace
}  // namespace airlock::text
