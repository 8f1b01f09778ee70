#include "rules/match/path_glob.h"

#include <gtest/gtest.h>

#include <random>

#include "base/glob.h"

namespace airlock::rules {
namespace {

bool fits(std::string_view pattern, std::string_view path) {
  const auto glob = PathGlob::parse(pattern);
  EXPECT_TRUE(glob) << pattern;
  SplitPath split;
  split.split(path);
  return glob && glob->matches(split);
}

TEST(PathGlob, ANameAloneIsMetInAnyFolder) {
  EXPECT_TRUE(fits("*.csv", "/a/b/c.csv"));
  EXPECT_FALSE(fits("*.csv", "/a/b.csv/c"));
  EXPECT_FALSE(fits("data/*.csv", "/x/data/c.csv"));
  EXPECT_TRUE(fits("/data/*.csv", "data/c.csv"));
}

TEST(PathGlob, DeepFoldersAndOptionalOnes) {
  EXPECT_TRUE(fits("**/mission_*/???\?-?\?-?\?/*.csv", "D:\\data\\mission_007\\2023-12-31\\a.csv"));
  EXPECT_TRUE(fits("a/**/b", "/a/b"));
  EXPECT_TRUE(fits("a/**/x/**/b", "/a/1/x/2/b"));
  EXPECT_FALSE(fits("a/**/x/**/b", "/a/1/2/b"));
  EXPECT_FALSE(fits("a/**", "/a"));
  EXPECT_TRUE(fits("a/{archive/,}b", "a/b"));
  EXPECT_TRUE(fits("a/{archive/,}b", "a/archive/b"));
  EXPECT_TRUE(fits("*.{csv,parquet}", "x.parquet"));
}

// Every engine against every other: base/glob.h simulates all places at once and cannot be wrong in
// the same way.
TEST(PathGlob, AgreesWithTheOtherGlob) {
  std::mt19937 random(7);
  const auto pick = [&](std::string_view letters) { return letters[random() % letters.size()]; };
  for (int round = 0; round < 30000; ++round) {
    std::string pattern;
    std::string path;
    const std::size_t parts = 1 + random() % 4;
    for (std::size_t i = 0; i < parts; ++i) {
      if (i > 0) pattern += '/';
      if (random() % 3 == 0) {
        pattern += "**";
      } else {
        for (std::size_t j = 0; j <= random() % 4; ++j) pattern += pick("ab*?");
      }
    }
    if (!pattern.contains('/')) pattern += "/a";
    const std::size_t segments = 1 + random() % 5;
    for (std::size_t i = 0; i < segments; ++i) {
      if (i > 0) path += '/';
      for (std::size_t j = 0; j <= random() % 3; ++j) path += pick("ab");
    }
    if (pattern.contains("***") || pattern.contains("**a") || pattern.contains("**b") ||
        pattern.contains("a**") || pattern.contains("b**") || pattern.contains("?**") ||
        pattern.contains("**?"))
      continue;
    const auto other = Glob::parse(pattern);
    ASSERT_TRUE(other);
    EXPECT_EQ(fits(pattern, path), other->matches(path)) << pattern << " on " << path;
  }
}

}  // namespace
}  // namespace airlock::rules
