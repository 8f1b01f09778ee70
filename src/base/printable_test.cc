#include "base/printable.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace airlock {
namespace {

TEST(Printable, LeavesTextOfAnyScriptAlone) {
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("def extract(path): return {'a': \"\\n\"}"),
            "def extract(path): return {'a': \"\\n\"}");
  EXPECT_EQ(printable("Größe 東京 한국 שלום 😀 e\u0301"), "Größe 東京 한국 שלום 😀 e\u0301");
}

TEST(Printable, SpellsOutControlCharacters) {
  EXPECT_EQ(printable("a\nb\rc\td"), "a\\nb\\rc\\td");
  EXPECT_EQ(printable(std::string_view("\0\x7f", 2)), "\\x00\\x7f");
  EXPECT_EQ(printable("\x1b[31mred\x1b[0m"), "\\x1b[31mred\\x1b[0m");
  EXPECT_EQ(printable("\x1b]0;title\x07"), "\\x1b]0;title\\x07");
}

TEST(Printable, SpellsOutTheEightBitControlsThatTerminalsAlsoObey) {
  EXPECT_EQ(printable("\u009b31m"), "<U+009B>31m");
  EXPECT_EQ(printable("\u0085"), "<U+0085>");
  EXPECT_EQ(printable("\x9b"
                      "31m"),
            "\\x9b31m");
}

TEST(Printable, SpellsOutWhatTurnsTextRoundOrHidesIt) {
  EXPECT_EQ(printable("\u202eabc\u2066"), "<U+202E>abc<U+2066>");
  EXPECT_EQ(printable("o\u200bs\u200d\ufeff\u00ad"), "o<U+200B>s<U+200D><U+FEFF><U+00AD>");
  EXPECT_EQ(printable("\U000E0041"), "<U+E0041>");
  EXPECT_EQ(printable("\ufe0f\U000E0100"), "<U+FE0F><U+E0100>");
  EXPECT_EQ(printable("\u3164\u115f\u2800\u034f"), "<U+3164><U+115F><U+2800><U+034F>");
  EXPECT_EQ(printable("\u2028\u2029"), "<U+2028><U+2029>");
}

TEST(Printable, SpellsOutSpacesThatOnlyLookLikeSpaces) {
  EXPECT_EQ(printable("a\u00a0b\u3000c"), "a<U+00A0>b<U+3000>c");
}

TEST(Printable, SpellsOutBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("a\xff"), "a\\xff");
  EXPECT_EQ(printable("\xe6\x9d"), "\\xe6\\x9d");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");
}

TEST(Printable, IsValidAndHarmlessForEveryPairOfBytes) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const char pair[] = {static_cast<char>(first), static_cast<char>(second)};
      const std::string shown = printable(std::string_view(pair, 2));
      ASSERT_FALSE(find_invalid_utf8(shown)) << first << ' ' << second;
      ASSERT_EQ(printable(shown), shown) << first << ' ' << second;
    }
  }
}

TEST(Columns, CountWhatATerminalUses) {
  EXPECT_EQ(columns_of("abc"), 3U);
  EXPECT_EQ(columns_of("東京"), 4U);
  EXPECT_EQ(columns_of("😀"), 2U);
  EXPECT_EQ(columns_of("e\u0301"), 1U);
  EXPECT_EQ(columns_of("\x1b"), 4U);
  EXPECT_EQ(columns_of("\u202e"), 8U);
}

TEST(Glyphs, EndWithTheText) {
  EXPECT_EQ(glyph_at("a", 1).bytes, 0U);
  EXPECT_EQ(glyph_at("", 99).bytes, 0U);
}

TEST(Printable, LinesStayLinesAndNothingElseIsObeyed) {
  EXPECT_EQ(printable_lines("a\x1b[2J\nb\r\n"), "a\\x1b[2J\nb\\r\n");
  EXPECT_EQ(printable_lines(""), "");
}

TEST(Printable, OutputKeepsItsTabsAndLineEnds) {
  EXPECT_EQ(printable_output("a\tb\x1b[2J\r\n\n\rc\xff"), "a\tb\\x1b[2J\n\n\\rc\\xff");
  EXPECT_EQ(printable_output(""), "");
  EXPECT_EQ(printable_output("\n"), "\n");
}

}  // namespace
}  // namespace airlock
