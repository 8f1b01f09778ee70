#include "present/report/check_snippet.h"

#include <gtest/gtest.h>

#include "base/printable.h"

namespace airlock::cli {
namespace {

// The line, and the marker below it, as a terminal shows them.
std::string drawn(std::string_view line, std::size_t begin, std::size_t end) {
  const Snippet snippet = draw_snippet(line, begin, end);
  return snippet.source + "\n" + std::string(snippet.indent, ' ') +
         std::string(snippet.marker, '^');
}

// The same, of the first place where `word` stands.
std::string drawn(std::string_view line, std::string_view word) {
  const std::size_t at = line.find(word);
  return drawn(line, at, at + word.size());
}

TEST(Snippet, MarksTheWord) {
  EXPECT_EQ(drawn("import os", "os"),
            "import os\n"
            "       ^^");
}

TEST(Snippet, ExpandsTabsToStopsOfFour) {
  EXPECT_EQ(drawn("\tx\t= eval(s)", "eval"),
            "    x   = eval(s)\n"
            "          ^^^^");
}

TEST(Snippet, StandsRightBehindWideCharacters) {
  EXPECT_EQ(drawn("{'名前': eval(s)}", "eval"),
            "{'名前': eval(s)}\n"
            "         ^^^^");
  EXPECT_EQ(drawn("x = '😀' + open", "open"),
            "x = '😀' + open\n"
            "           ^^^^");
}

TEST(Snippet, MarksWideCharactersInTheirWholeWidth) {
  EXPECT_EQ(drawn("x = '東京'", "東京"),
            "x = '東京'\n"
            "     ^^^^");
}

TEST(Snippet, CountsACombiningMarkWithItsLetter) {
  EXPECT_EQ(drawn("'e\u0301' + eval", "eval"),
            "'e\u0301' + eval\n"
            "      ^^^^");
}

TEST(Snippet, SpellsOutWhatWouldBeHiddenAndMarksTheSpelling) {
  EXPECT_EQ(drawn("a \u202e b", "\u202e"),
            "a <U+202E> b\n"
            "  ^^^^^^^^");
  EXPECT_EQ(drawn("x\x1b[2J = eval", "eval"),
            "x\\x1b[2J = eval\n"
            "           ^^^^");
}

TEST(Snippet, ShowsBytesThatAreNotUtf8) {
  EXPECT_EQ(drawn("x = '\xff' + eval", "eval"),
            "x = '\\xff' + eval\n"
            "             ^^^^");
}

TEST(Snippet, MarksAnEmptyPlaceWithOneColumn) {
  EXPECT_EQ(drawn("abc", 1, 1), "abc\n ^");
  EXPECT_EQ(drawn("", 0, 0), "\n^");
}

TEST(Snippet, MarksTheEndOfTheLineForAPlaceBeyondIt) {
  EXPECT_EQ(drawn("abc", 3, 3), "abc\n   ^");
  EXPECT_EQ(drawn("abc", 99, 120), "abc\n   ^");
  EXPECT_EQ(drawn("abc", 1, std::string_view::npos), "abc\n ^^");
  EXPECT_EQ(drawn("abc", 2, 0), "abc\n  ^");
}

TEST(Snippet, TakesAPlaceInsideACharacterAsThatCharacter) {
  EXPECT_EQ(drawn("東京", 4, 5), "東京\n  ^^");
}

TEST(Snippet, ShowsALineOfAHundredColumnsWhole) {
  const std::string line = std::string(96, 'x') + "eval";
  EXPECT_EQ(drawn(line, "eval"), line + "\n" + std::string(96, ' ') + "^^^^");
}

TEST(Snippet, CutsALongLineAfterAPlaceNearItsStart) {
  EXPECT_EQ(drawn("eval" + std::string(200, 'x'), "eval"),
            "eval" + std::string(94, 'x') + "…\n^^^^");
}

TEST(Snippet, CutsALongLineBeforeAPlaceNearItsEnd) {
  EXPECT_EQ(drawn(std::string(200, 'x') + "eval", "eval"),
            "…" + std::string(94, 'x') + "eval\n" + std::string(95, ' ') + "^^^^");
}

TEST(Snippet, CutsALongLineAroundAPlaceInTheMiddle) {
  EXPECT_EQ(drawn(std::string(500000, 'x') + "eval" + std::string(500000, 'y'), "eval"),
            "…" + std::string(47, 'x') + "eval" + std::string(47, 'y') + "…\n" +
                std::string(48, ' ') + "^^^^");
}

TEST(Snippet, KeepsTheStartOfAPlaceThatIsItselfTooLong) {
  EXPECT_EQ(drawn(std::string(300, 'x') + std::string(300, 'y'), 300, 600),
            "…" + std::string(20, 'x') + std::string(78, 'y') + "…\n" + std::string(21, ' ') +
                std::string(78, '^'));
}

TEST(Snippet, NeverPassesTheHundredColumnsWhateverTheLine) {
  const std::string_view pieces[] = {"x",    "\t",     "東",   "😀",   "\u202e",
                                     "\xff", "\u0301", "\x1b", "\xe6", "e\u0301"};
  for (const std::string_view piece : pieces) {
    std::string line;
    while (line.size() < 3000) line += piece;
    for (const std::size_t begin : {0U, 1U, 2U, 99U, 100U, 401U, 1500U, 2999U, 3000U, 9999U}) {
      for (const std::size_t length : {0U, 1U, 50U, 400U, 9999U}) {
        const Snippet snippet = draw_snippet(line, begin, begin + length);
        ASSERT_LE(columns_of(snippet.source), kSnippetColumns) << piece << begin << ' ' << length;
        ASSERT_EQ(printable(snippet.source), snippet.source) << piece;
        ASSERT_GE(snippet.marker, 1U);
        ASSERT_LE(snippet.indent + snippet.marker, kSnippetColumns + 1);
      }
    }
  }
}

}  // namespace
}  // namespace airlock::cli
