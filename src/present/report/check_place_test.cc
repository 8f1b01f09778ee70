#include "present/report/check_place.h"

#include <gtest/gtest.h>

#include "support/sample_reports.h"

namespace airlock::cli {
namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF";

TEST(TextLinesOf, AnEmptyTextAreOneEmptyLine) {
  TextLines lines("");
  EXPECT_EQ(lines.count(), 1U);
  EXPECT_EQ(lines.line(1), "");
}

TEST(TextLinesOf, AnyLineEndAreTheSame) {
  for (const std::string_view text : {"a\n\nb", "a\r\n\r\nb\r\n", "a\r\rb\r", "a\n\rb\n"}) {
    TextLines lines(text);
    ASSERT_EQ(lines.count(), 3U) << text;
    EXPECT_EQ(lines.line(1), "a");
    EXPECT_EQ(lines.line(2), "");
    EXPECT_EQ(lines.line(3), "b");
  }
}

TEST(TextLinesOf, AnyNumberExist) {
  TextLines lines("a\nb\n");
  EXPECT_EQ(lines.line(0), "a");
  EXPECT_EQ(lines.line(3), "b");
  EXPECT_EQ(lines.line(kHuge), "b");
}

TEST(Fitting, LeavesAGoodPlaceAlone) {
  TextLines lines("import os\nx = 1\n");
  const Place place{1, 7, 2, 1};
  EXPECT_EQ(lines.fit(place), place);
  EXPECT_EQ(lines.between(place), "os\nx");
}

TEST(Fitting, MovesAPlacePastTheEndToTheEnd) {
  TextLines lines("import os\nx = 1\n");
  EXPECT_EQ(lines.fit({1, 99, 1, 120}), (Place{1, 9, 1, 9}));
  EXPECT_EQ(lines.fit({3, 0, 3, 4}), (Place{2, 5, 2, 5}));
  EXPECT_EQ(lines.fit({kHuge, kHuge, kHuge, kHuge}), (Place{2, 5, 2, 5}));
}

TEST(Fitting, NeverEndsBeforeItStarts) {
  TextLines lines("import os\nx = 1\n");
  EXPECT_EQ(lines.fit({2, 3, 1, 0}), (Place{2, 3, 2, 3}));
  EXPECT_EQ(lines.fit({2, 3, 2, 1}), (Place{2, 3, 2, 3}));
  EXPECT_EQ(lines.fit({0, 0, 0, 0}), (Place{1, 0, 1, 0}));
}

TEST(OnDisk, APlaceIsWhereTheCodeStoodInTheAnswer) {
  CheckedFile file = checked("x.py", "import os\n");
  file.raw = "Sure:\n> import os\n";
  file.verdict.lines.lines = {{2, 2}};
  EXPECT_EQ(place_on_disk(file, {1, 7, 1, 9}), (Place{2, 9, 2, 11}));
}

TEST(OnDisk, AByteOrderMarkThatCleaningTookIsThereAgain) {
  CheckedFile file = checked("x.py", "import os\nimport io\n");
  file.raw = std::string(kMark) + file.verdict.code;
  EXPECT_EQ(place_on_disk(file, {1, 7, 1, 9}), (Place{1, 10, 1, 12}));
  EXPECT_EQ(place_on_disk(file, {2, 7, 2, 9}), (Place{2, 7, 2, 9}));
}

TEST(Characters, AreCountedNotBytes) {
  TextLines lines("a = '東京😀é', eval\n");
  CharacterCounter counter(lines);
  EXPECT_EQ(counter.count({1, 0, 1, 1}), (CharacterPlace{1, 1, 1, 2}));
  EXPECT_EQ(counter.count({1, 20, 1, 24}), (CharacterPlace{1, 13, 1, 17}));
  // Back to the front of the line, and into the middle of a character.
  EXPECT_EQ(counter.count({1, 5, 1, 9}), (CharacterPlace{1, 6, 1, 7}));
}

TEST(Characters, DoNotIncludeTheByteOrderMark) {
  const std::string text = std::string(kMark) + "import os";
  TextLines lines(text);
  CharacterCounter counter(lines);
  EXPECT_EQ(counter.count({1, 10, 1, 12}), (CharacterPlace{1, 8, 1, 10}));
  EXPECT_EQ(counter.count({1, 0, 1, 3}), (CharacterPlace{1, 1, 1, 1}));
}

TEST(Characters, OfBytesThatAreNotUtf8StayInOrder) {
  const std::string text = "\x80\x80\xff\xfe\x80z";
  TextLines lines(text);
  for (std::uint32_t begin = 0; begin <= 6; ++begin) {
    for (std::uint32_t end = begin; end <= 6; ++end) {
      CharacterCounter counter(lines);
      const CharacterPlace place = counter.count({1, begin, 1, end});
      EXPECT_GE(place.column, 1U);
      EXPECT_GE(place.end_column, place.column);
    }
  }
}

}  // namespace
}  // namespace airlock::cli
