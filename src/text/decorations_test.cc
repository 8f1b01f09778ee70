#include "text/decorations.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "support/answers.h"

namespace airlock::text {
namespace {

std::string numbered(std::string_view code, const std::function<std::string(int)>& gutter) {
  std::string out;
  int number = 0;
  while (!code.empty()) {
    const std::size_t end = code.find('\n');
    out += gutter(++number) + std::string(code.substr(0, end)) + "\n";
    code.remove_prefix(end + 1);
  }
  return out;
}

std::string padded(int number, std::size_t width) {
  const std::string digits = std::to_string(number);
  return std::string(width - digits.size(), ' ') + digits;
}

TEST(QuoteMarks, AQuotedAnswerIsUnquoted) {
  const CodeCandidate out = first_of("> ```python\n" + with_marks(kCode, "> ") + "> ```\n");
  EXPECT_EQ(out.code, kCode);
  EXPECT_EQ(out.lines.to_raw({.line = 1, .column = 7}).column, 9u);
  EXPECT_FALSE(said(out, RuleCode::kDecorationRemoved).empty());
}

TEST(QuoteMarks, QuotesInQuotesComeOffToo) {
  EXPECT_EQ(first_of(with_marks(kCode, "> > ")).code, kCode);
}

TEST(QuoteMarks, AQuoteBetweenProseIsFound) {
  EXPECT_EQ(first_of("You wrote:\n\n" + with_marks(kCode, "> ") + "\nLooks good to me.\n").code,
            kCode);
}

TEST(Prompts, ASessionBecomesAFile) {
  const CodeCandidate out = first_of(
      ">>> import re\n>>> def extract(path):\n...     return {}\n...\n>>> extract('x')\n{}\n");
  EXPECT_EQ(out.code, "import re\ndef extract(path):\n    return {}\n\nextract('x')\n");
  EXPECT_NE(said(out, RuleCode::kDecorationRemoved).find("1 line without one"), std::string::npos);
}

TEST(Prompts, ADoctestInADocstringIsLeftAlone) {
  const std::string code =
      "def extract(path):\n    \"\"\"\n    >>> extract('x')\n    \"\"\"\n    return {}\n";
  EXPECT_EQ(first_of("```python\n" + code + "```\n").code, code);
}

TEST(LineNumbers, EveryFormOfGutterIsRemoved) {
  const std::string code = kCode + "\n\ndef helper():\n    x = 1\n    return x\n";
  const std::function<std::string(int)> gutters[] = {
      [](int n) { return std::to_string(n) + " "; },
      [](int n) { return std::to_string(n) + ": "; },
      [](int n) { return padded(n, 3) + " | "; },
      [](int n) { return padded(n, 4) + "  "; },
      [](int n) { return padded(n, 2) + "\t"; },
      [](int n) { return (std::to_string(n) + "    ").substr(0, 4); },
      [](int n) { return padded(n, 3) + " \u2502 "; },
      [](int n) { return std::to_string(n + 40) + ". "; },
  };
  for (const auto& gutter : gutters) {
    EXPECT_EQ(first_of(numbered(code, gutter)).code, code) << gutter(1);
  }
}

TEST(LineNumbers, BlankLinesMayBeWithoutANumber) {
  EXPECT_EQ(first_of("1 import re\n\n3 def extract(path):\n4     return {}\n").code,
            "import re\n\ndef extract(path):\n    return {}\n");
}

TEST(LineNumbers, NumbersThatDoNotCountStay) {
  EXPECT_TRUE(extraction_of("5 x = 1\n5 y = 2\n9 z = 3\n").candidates.empty());
}

TEST(LineNumbers, TheRawColumnIsKept) {
  const CodeCandidate out =
      first_of("```\n1: import re\n2: def extract(path):\n3:     return {}\n```\n");
  EXPECT_EQ(out.lines.to_raw({.line = 2, .column = 4}).line, 3u);
  EXPECT_EQ(out.lines.to_raw({.line = 2, .column = 4}).column, 7u);
}

TEST(ChatButtons, WordsOfAChatPageAboveTheCodeGo) {
  const CodeCandidate out = first_of("python\nCopy code\n" + kCode);
  EXPECT_EQ(out.code, kCode);
  EXPECT_EQ(out.lines.to_raw({.line = 1}).line, 3u);
}

TEST(ChatButtons, TheyMayStandBelowProseOrInAFence) {
  EXPECT_EQ(first_of("Here is the extractor:\n\npython\nCopy\nEdit\n" + kCode).code, kCode);
  EXPECT_EQ(first_of("```\npython\n" + kCode + "```\n").code, kCode);
}

TEST(Indentation, WhatEveryLineHasIsRemoved) {
  const std::string code = "import re\n\ndef extract(path):\n    return {}\n";
  const CodeCandidate out =
      first_of("    import re\n\n    def extract(path):\n        return {}\n");
  EXPECT_EQ(out.code, code);
  EXPECT_EQ(out.lines.to_raw({.line = 1}).column, 4u);
}

TEST(Indentation, TabsAndSpacesAreNotMixedUp) {
  EXPECT_TRUE(extraction_of("    x = 1\n\ty = 2\n").candidates.empty());
}

}  // namespace
}  // namespace airlock::text
