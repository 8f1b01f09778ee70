#include "text/lexer.h"

#include <gtest/gtest.h>

#include <string>

#include "text/cleaning.h"

namespace airlock::text {
namespace {

// The code with every byte of a string as 's' and of a comment as 'c'.
std::string paint(std::string_view code) {
  std::string out;
  for (std::size_t at = 0; at < code.size();) {
    const LexSpan span = next_span(code, at);
    EXPECT_GT(span.end, at);
    for (; at < span.end; ++at) {
      out += span.kind == SpanKind::kCode ? code[at] : span.kind == SpanKind::kString ? 's' : 'c';
    }
  }
  return out;
}

TEST(Lexer, CodeStringsAndCommentsAreToldApart) {
  EXPECT_EQ(paint("a = 'b' # c\nd"), "a = sss ccc\nd");
}

TEST(Lexer, AHashInAStringStartsNoComment) {
  EXPECT_EQ(paint("x = '#' + y"), "x = sss + y");
}

TEST(Lexer, AQuoteInACommentStartsNoString) {
  EXPECT_EQ(paint("# don't\nx"), "ccccccc\nx");
}

TEST(Lexer, AnEscapedQuoteDoesNotEndAString) {
  EXPECT_EQ(paint(R"("a\"b" c)"), "ssssss c");
}

TEST(Lexer, ABackslashInARawStringStillKeepsTheQuote) {
  EXPECT_EQ(paint(R"(r"a\" c" d)"), "rsssssss d");
}

TEST(Lexer, AnEscapedBackslashDoesNotEscapeTheQuote) {
  EXPECT_EQ(paint(R"("\\" c)"), "ssss c");
}

TEST(Lexer, AnUnclosedStringEndsWithItsLine) {
  EXPECT_EQ(paint("x = 'ab\ny"), "x = sss\ny");
}

TEST(Lexer, ABackslashAtTheLineEndCarriesAStringOn) {
  EXPECT_EQ(paint("'a\\\nb' c"), "ssssss c");
}

TEST(Lexer, ATripleQuotedStringHoldsLinesAndQuotes) {
  EXPECT_EQ(paint("\"\"\"a\n'b\" \"\"\" c"), "ssssssssssss c");
}

TEST(Lexer, AnUnclosedTripleQuotedStringRunsToTheEnd) {
  EXPECT_EQ(paint("'''a\nb # c"), "ssssssssss");
}

TEST(Lexer, ABackslashAsTheLastByteIsHarmless) {
  EXPECT_EQ(paint("'\\"), "ss");
}

TEST(Nesting, CountsTheDeepestBrackets) {
  EXPECT_EQ(measure_nesting("a([{}])()", 10).deepest, 3u);
}

TEST(Nesting, IgnoresStringsAndComments) {
  EXPECT_EQ(measure_nesting("x = '((((' # [[[[\n(y)", 10).deepest, 1u);
}

TEST(Nesting, SaysWhereTheLimitIsFirstPassed) {
  const Nesting nesting = measure_nesting("a = 'x'\nb = ((1))\nc = (((2)))", 1);
  EXPECT_EQ(nesting.line, 2u);
  EXPECT_EQ(nesting.column, 5u);
  EXPECT_EQ(nesting.deepest, 3u);
}

TEST(Nesting, CountsLinesInsideTripleQuotedStrings) {
  EXPECT_EQ(measure_nesting("'''\n\n''' + ((1))", 1).line, 3u);
}

TEST(Nesting, HasNoLineWithinTheLimit) {
  EXPECT_EQ(measure_nesting("((1))", 2).line, 0u);
}

TEST(Nesting, ClosingBracketsTooManyHideNoDepth) {
  EXPECT_EQ(measure_nesting(")))))((", 10).deepest, 2u);
}

}  // namespace
}  // namespace airlock::text
