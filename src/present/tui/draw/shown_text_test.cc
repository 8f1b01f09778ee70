#include "present/tui/draw/shown_text.h"

#include <gtest/gtest.h>

#include "present/tui/draw/canvas.h"

namespace airlock::tui {
namespace {

constexpr Charset kUtf8 = Charset::kUtf8;
constexpr Charset kAscii = Charset::kAscii;

TEST(Clusters, AreALetterWithItsMarks) {
  const Cluster cluster = cluster_at("e\u0301x", 0, kUtf8);
  EXPECT_EQ(cluster.text, "e\u0301");
  EXPECT_EQ(cluster.columns, 1U);
  EXPECT_EQ(cluster_at("\u6771", 0, kUtf8).columns, 2U);
}

TEST(Clusters, SpellOutMarksThatStandOnNothing) {
  EXPECT_EQ(cluster_at("\u0301x", 0, kUtf8).text, "<U+0301>");
  EXPECT_EQ(shown("a\u0301\u0301\u0301\u0301\u0301", kUtf8), "a\u0301\u0301\u0301\u0301<U+0301>");
  EXPECT_EQ(shown("\n\u0301", kUtf8), "\\n<U+0301>");
}

TEST(Clusters, AreAsciiWhereThatIsAllThereIs) {
  EXPECT_EQ(shown("gr\u00f6\u00dfer", kAscii), "gr<U+00F6><U+00DF>er");
  EXPECT_EQ(shown("\x1b[31m", kAscii), "\\x1b[31m");
}

TEST(Clusters, CanBeWalkedBackwards) {
  const std::string text = "ae\u0301\u6771";
  EXPECT_EQ(cluster_before(text, text.size()), 4U);
  EXPECT_EQ(cluster_before(text, 4), 1U);
  EXPECT_EQ(cluster_before(text, 1), 0U);
  EXPECT_EQ(cluster_before(text, 0), 0U);
}

TEST(Cutting, SaysThatSomethingIsMissing) {
  EXPECT_EQ(cut_end("abcdef", 6, "…", kUtf8), "abcdef");
  EXPECT_EQ(cut_end("abcdef", 4, "…", kUtf8), "abc…");
  EXPECT_EQ(cut_start("abcdef", 4, "…", kUtf8), "…def");
  EXPECT_EQ(cut_end("\u6771\u4eac\u6771", 4, "…", kUtf8), "\u6771…");
  EXPECT_EQ(cut_end("abcdef", 0, "…", kUtf8), "");
  EXPECT_EQ(cut_start("abcdef", 0, "…", kUtf8), "");
}

TEST(Lines, LoseTheirEndsAndTabs) {
  EXPECT_EQ(lines_of("a\r\n\tb\n\nc"), (std::vector<std::string>{"a", "    b", "", "c"}));
  EXPECT_EQ(lines_of("a\n"), (std::vector<std::string>{"a"}));
  EXPECT_TRUE(lines_of("").empty());
  EXPECT_EQ(lines_of("1\n2\n3", 2).size(), 2U);
}

TEST(Wrapping, BreaksAfterSpaces) {
  EXPECT_EQ(wrap("one two three", 7, kUtf8), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrap("one two three", 8, kUtf8), (std::vector<std::string>{"one two", "three"}));
}

TEST(Wrapping, BreaksWordsThatAreTooLong) {
  EXPECT_EQ(wrap("abcdefgh", 3, kUtf8), (std::vector<std::string>{"abc", "def", "gh"}));
  EXPECT_EQ(wrap("\u6771\u4eac\u6771", 3, kUtf8),
            (std::vector<std::string>{"\u6771", "\u4eac", "\u6771"}));
  EXPECT_EQ(wrap("abc", 0, kUtf8), (std::vector<std::string>{"a", "b", "c"}));
}

TEST(Wrapping, LosesNoByte) {
  const std::string text = "a  bb   ccc \u6771\u4eac e\u0301 \x1b[0m  dddddddddddd  ";
  for (std::size_t columns = 1; columns < 30; ++columns) {
    std::size_t at = 0;
    for (const TextPiece& piece : wrap_pieces(text, columns, kUtf8)) {
      EXPECT_EQ(piece.begin, at);
      at = piece.end;
    }
    EXPECT_EQ(at, text.size());
  }
}

TEST(Canvas, IsBlankAtFirst) {
  EXPECT_EQ(Canvas({3, 2}, kUtf8).text(), "\n\n");
  EXPECT_EQ(Canvas({-1, -5}, kUtf8).text(), "");
}

TEST(Canvas, KeepsWhatIsPutInsideItsClip) {
  Canvas canvas({6, 2}, kUtf8);
  EXPECT_EQ(canvas.put({1, 0, 3, 1}, {1, 0}, "abcdef"), 6);
  canvas.put({1, 0, 3, 1}, {1, 1}, "below");
  EXPECT_EQ(canvas.text(), " abc\n\n");
}

TEST(Canvas, LeavesASpaceWhereAWideCharacterIsCut) {
  Canvas canvas({5, 1}, kUtf8);
  canvas.put(canvas.area(), {0, 0}, "12345");
  canvas.put({0, 0, 3, 1}, {0, 0}, "\u6771\u4eac");
  EXPECT_EQ(canvas.text(), "\u6771 45\n");
  canvas.put(canvas.area(), {1, 0}, "x");
  EXPECT_EQ(canvas.text(), " x 45\n");
  canvas.put(canvas.area(), {0, 0}, "\u6771");
  canvas.put(canvas.area(), {0, 0}, "y");
  EXPECT_EQ(canvas.text(), "y  45\n");
}

TEST(Canvas, ScrollsALineSideways) {
  Canvas canvas({4, 1}, kUtf8);
  const Line line = {{"ab", Ink::kKeyword}, {"cdef", Ink::kString}};
  EXPECT_EQ(canvas.put(canvas.area(), {0, 0}, line, 1), 6);
  EXPECT_EQ(canvas.text(), "bcde\n");
  EXPECT_EQ(canvas.at({0, 0}).ink, Ink::kKeyword);
  EXPECT_EQ(canvas.at({1, 0}).ink, Ink::kString);
  canvas.clear(canvas.area());
  canvas.put(canvas.area(), {0, 0}, Line{{"\u6771x"}}, 1);
  EXPECT_EQ(canvas.text(), " x\n");
}

TEST(Canvas, PutsOneLetterOfWhatIsSpeltOutInEachCell) {
  Canvas canvas({6, 1}, kUtf8);
  canvas.put(canvas.area(), {0, 0}, "\n\x1b");
  EXPECT_EQ(canvas.text(), "\\n\\x1b\n");
  EXPECT_EQ(canvas.at({1, 0}).text, "n");
}

TEST(Canvas, KeepsItsCursorInside) {
  Canvas canvas({4, 2}, kUtf8);
  canvas.place_cursor(canvas.area(), {9, 9});
  EXPECT_EQ(canvas.cursor(), (Point{3, 1}));
}

TEST(Areas, AreCutIntoPartsThatNeverExceedThem) {
  const Area area{1, 1, 10, 4};
  EXPECT_EQ(area.first_rows(9).height, 4);
  EXPECT_EQ(area.without_first(9).height, 0);
  EXPECT_EQ(area.last_rows(1).top, 4);
  EXPECT_EQ(area.without_last(1).height, 3);
  EXPECT_TRUE(area.inset(5, 1).is_empty());
}

}  // namespace
}  // namespace airlock::tui
