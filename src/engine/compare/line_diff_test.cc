#include "engine/compare/line_diff.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace airlock {
namespace {

// " a", "-b", "+c": one a line.
std::string told(std::string_view before, std::string_view after) {
  std::string text;
  for (const DiffLine& line : diff_lines(before, after)) {
    text += line.change == LineChange::kSame ? ' ' : line.change == LineChange::kAdded ? '+' : '-';
    text.append(line.text).append("\n");
  }
  return text;
}

// Both texts, put together again from the difference.
void expect_whole(const std::string& before, const std::string& after) {
  std::string old_text;
  std::string new_text;
  std::size_t old_at = 0;
  std::size_t new_at = 0;
  for (const DiffLine& line : diff_lines(before, after)) {
    if (line.change != LineChange::kAdded) {
      old_text.append(line.text).append("\n");
      EXPECT_EQ(line.before, ++old_at);
    }
    if (line.change != LineChange::kRemoved) {
      new_text.append(line.text).append("\n");
      EXPECT_EQ(line.after, ++new_at);
    }
  }
  EXPECT_EQ(old_text, before);
  EXPECT_EQ(new_text, after);
}

TEST(LineDiffTest, TellsWhatStayedWentAndCame) {
  EXPECT_EQ(told("", ""), "");
  EXPECT_EQ(told("a\nb\n", "a\nb\n"), " a\n b\n");
  EXPECT_EQ(told("a\nb\nc\n", "a\nx\nc\n"), " a\n-b\n+x\n c\n");
  EXPECT_EQ(told("", "a\nb"), "+a\n+b\n");
  EXPECT_EQ(told("a\nb", ""), "-a\n-b\n");
  EXPECT_EQ(told("a\nb\nc\n", "b\nc\nd\n"), "-a\n b\n c\n+d\n");
}

TEST(LineDiffTest, EveryPairOfTextsIsToldWhole) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    std::string texts[2];
    for (std::string& text : texts) {
      for (std::size_t lines = random() % 12; lines > 0; --lines)
        text += std::string(1, static_cast<char>('a' + random() % 4)) + "\n";
    }
    expect_whole(texts[0], texts[1]);
  }
}

TEST(LineDiffTest, TextsThatHaveNothingInCommonAreReplaced) {
  std::string before = "head\n";
  std::string after = "head\n";
  for (std::size_t i = 0; i < 3 * kMostChanges; ++i) {
    before += "old " + std::to_string(i) + "\n";
    after += "new " + std::to_string(i) + "\n";
  }
  expect_whole(before, after);
  EXPECT_EQ(diff_lines(before, after).front().change, LineChange::kSame);
}

TEST(LineDiffTest, TheFewestChangesAreTold) {
  std::size_t changed = 0;
  for (const DiffLine& line : diff_lines("a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n"))
    changed += line.change == LineChange::kSame ? 0 : 1;
  EXPECT_EQ(changed, 5u);
}

}  // namespace
}  // namespace airlock
