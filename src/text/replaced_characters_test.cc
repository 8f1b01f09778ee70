#include <gtest/gtest.h>

#include "text/cleaning.h"

namespace airlock::text {
namespace {

CodeCandidate repair(std::string_view code) {
  return repair_characters({std::string(code), {}, {}});
}

TEST(Characters, ANoBreakSpaceInTheIndentationBecomesASpace) {
  const CodeCandidate out = repair("def f():\n\u00A0\u00A0\u00A0\u00A0return 1\n");
  EXPECT_EQ(out.code, "def f():\n    return 1\n");
  ASSERT_EQ(out.changes.size(), 1u);
  EXPECT_EQ(out.changes[0].rule, RuleCode::kCharactersReplaced);
  EXPECT_EQ(out.changes[0].item, "U+00A0");
  EXPECT_EQ(out.changes[0].message,
            "Replaced 4 no-break spaces (U+00A0) by spaces, first on line 2");
}

TEST(Characters, OneCharacterIsSpokenOfInTheSingular) {
  EXPECT_EQ(repair("a\u00A0= 1\n").changes.at(0).message,
            "Replaced 1 no-break space (U+00A0) by spaces, on line 1");
}

TEST(Characters, EachKindIsOneChange) {
  EXPECT_EQ(repair("a\u00A0=\u2003\u22121\u00A0\n").changes.size(), 3u);
}

TEST(Characters, TheLineOfAChangeIsTheRawOne) {
  const CodeCandidate out = repair_characters({"a\u00A0= 1\n", {{{7, 2}}}, {}});
  EXPECT_EQ(out.changes.at(0).raw_line, 7u);
  EXPECT_EQ(out.lines.lines.size(), 1u);
}

TEST(Characters, StringsAndCommentsAreLeftAlone) {
  const std::string_view code =
      "x = '\u00A0\u201C' # \u201Cquoted\u201D\u00A0\ny = \"\"\"\u200B\n\u2019\"\"\"\n";
  const CodeCandidate out = repair(code);
  EXPECT_EQ(out.code, code);
  EXPECT_TRUE(out.changes.empty());
}

TEST(Characters, SmartQuotesBecomePlain) {
  EXPECT_EQ(repair("x = \u201Creport\u201D + \u2018a\u2019\n").code, "x = \"report\" + 'a'\n");
}

TEST(Characters, AnApostropheBetweenSmartDoubleQuotesStays) {
  EXPECT_EQ(repair("x = \u201Cdon't\u201D\u00A0\n").code, "x = \"don't\" \n");
}

TEST(Characters, ASmartApostropheBetweenLettersEndsNoString) {
  EXPECT_EQ(repair("x = \u2018it\u2019s\u2019\n").code, "x = 'it\u2019s'\n");
}

TEST(Characters, SmartTripleQuotesMakeADocstring) {
  EXPECT_EQ(repair("\u201C\u201D\u201Da \u201Cb\u201D\nc\u201D\u201D\u201D\n").code,
            "\"\"\"a \u201Cb\u201D\nc\"\"\"\n");
}

TEST(Characters, ASmartQuoteInsideAPlainStringIsContent) {
  const std::string_view code = "x = \"\u201D\"\n";
  EXPECT_EQ(repair(code).code, code);
}

TEST(Characters, ZeroWidthSpacesBesidePunctuationGo) {
  EXPECT_EQ(repair("\u200Bx\u200B = f(\uFEFFy)\u2060\n").code, "x = f(y)\n");
}

TEST(Characters, ZeroWidthCharactersInsideANameStay) {
  const std::string_view code = "ext\u200Bract\u200D\u200Cor = 1\n";
  const CodeCandidate out = repair(code);
  EXPECT_EQ(out.code, code);
  EXPECT_TRUE(out.changes.empty());
}

TEST(Characters, AZeroWidthSpaceBetweenQuotesStaysSoThatNoTripleQuoteAppears) {
  const std::string_view code = "''\u200B'a'\n";
  EXPECT_EQ(repair(code).code, code);
}

TEST(Characters, FullWidthSignsBecomeAscii) {
  EXPECT_EQ(repair("def f\uFF08x\uFF0Cy\uFF09\uFF1A\n    z \uFF1D x \uFF0B y\n").code,
            "def f(x,y):\n    z = x + y\n");
}

TEST(Characters, AFullWidthHashStartsAComment) {
  EXPECT_EQ(repair("x \uFF03 \u00A0y\n").code, "x # \u00A0y\n");
}

TEST(Characters, DashesBecomeMinus) {
  EXPECT_EQ(repair("x = a \u2013 b \u2212 c\n").code, "x = a - b - c\n");
}

TEST(Characters, WhatStandsForNothingElseIsKept) {
  const std::string_view code = "x = \u00ABa\u00BB \u2026 \u00E9\n";
  EXPECT_EQ(repair(code).code, code);
}

TEST(Characters, RepairingTwiceIsRepairingOnce) {
  for (const std::string_view code :
       {"\u201Ca\"b\u201Cc\u201D\n", "\u201C\\\u201D\u201D\n", "'\u2019\u2018'''\u2019\n",
        "\u2018\u200B\u2019\u200B'\n", "\"\u201D\u201D\"\u201D\n", "\"\"\u201Ca\n\u00A0"}) {
    const CodeCandidate once = repair(code);
    EXPECT_EQ(repair(once.code).code, once.code) << code;
  }
}

}  // namespace
}  // namespace airlock::text
