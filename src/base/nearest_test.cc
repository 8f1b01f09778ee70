#include "base/nearest.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace airlock {
namespace {

std::string_view nearest(std::string_view word) {
  static constexpr std::array<std::string_view, 6> kWords = {"re",      "json",     "datetime",
                                                             "pathlib", "basename", "dirname"};
  return nearest_word(word, kWords);
}

TEST(Nearest, EachKindOfSlipCountsOne) {
  EXPECT_EQ(edit_distance("path", "pth", 9), 1u);
  EXPECT_EQ(edit_distance("path", "paath", 9), 1u);
  EXPECT_EQ(edit_distance("path", "pash", 9), 1u);
  EXPECT_EQ(edit_distance("path", "paht", 9), 1u) << "neighbours swapped are one slip, not two";
}

TEST(Nearest, DistanceIsTheSameBothWays) {
  EXPECT_EQ(edit_distance("kitten", "sitting", 9), 3u);
  EXPECT_EQ(edit_distance("sitting", "kitten", 9), 3u);
  EXPECT_EQ(edit_distance("", "abc", 9), 3u);
  EXPECT_EQ(edit_distance("same", "same", 9), 0u);
}

TEST(Nearest, CountingStopsAtTheLimit) {
  EXPECT_EQ(edit_distance("abcdef", "uvwxyz", 3), 3u);
  EXPECT_EQ(edit_distance("a", "abcdefgh", 2), 2u);
}

TEST(Nearest, HugeWordsAreNotCompared) {
  EXPECT_EQ(edit_distance(std::string(100000, 'a'), std::string(100000, 'b'), 3), 3u);
}

TEST(Nearest, ALikelySlipIsFound) {
  EXPECT_EQ(nearest("jsno"), "json");
  EXPECT_EQ(nearest("datetme"), "datetime");
  EXPECT_EQ(nearest("pathlob"), "pathlib");
}

TEST(Nearest, WhatIsTooFarIsNotSuggested) {
  EXPECT_EQ(nearest("requests"), "");
  EXPECT_EQ(nearest("os"), "") << "two letters of two are another word";
  EXPECT_EQ(nearest(""), "");
}

TEST(Nearest, TheWordItselfIsNoSuggestion) {
  EXPECT_EQ(nearest("json"), "");
}

TEST(Nearest, TheNearerOfTwoWins) {
  EXPECT_EQ(nearest("basname"), "basename");
  EXPECT_EQ(nearest("dirnam"), "dirname");
}

}  // namespace
}  // namespace airlock
