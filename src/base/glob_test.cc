#include "base/glob.h"

#include <gtest/gtest.h>

#include <chrono>

namespace airlock {
namespace {

bool fits(const char* pattern, const char* path) {
  const auto glob = Glob::parse(pattern);
  EXPECT_TRUE(glob) << pattern;
  return glob && glob->matches(path);
}

TEST(Glob, StarsStayInTheirSegment) {
  EXPECT_TRUE(fits("*.py", "a.py"));
  EXPECT_TRUE(fits("*.py", ".py"));
  EXPECT_FALSE(fits("*.py", "src/a.py"));
  EXPECT_TRUE(fits("src/*/x", "src/a/x"));
  EXPECT_FALSE(fits("src/*/x", "src/a/b/x"));
  EXPECT_TRUE(fits("a?c", "abc"));
  EXPECT_FALSE(fits("a?c", "a/c"));
}

TEST(Glob, TwoStarsAreAnyNumberOfSegments) {
  for (const char* path : {"a.py", "x/a.py", "x/y/z/a.py"})
    EXPECT_TRUE(fits("**/*.py", path)) << path;
  EXPECT_FALSE(fits("**/a.py", "xa.py"));
  EXPECT_TRUE(fits("src/**", "src/a/b"));
  EXPECT_FALSE(fits("src/**", "src"));
  EXPECT_TRUE(fits("a/**/b", "a/b"));
  EXPECT_TRUE(fits("a/**/b", "a/x/y/b"));
  EXPECT_FALSE(fits("a/**/b", "axb"));
  EXPECT_TRUE(fits("**", "anything/at/all"));
}

TEST(Glob, SetsAndBraces) {
  EXPECT_TRUE(fits("[a-c]x", "bx"));
  EXPECT_FALSE(fits("[!a-c]x", "bx"));
  EXPECT_FALSE(fits("[!a]", "/"));
  EXPECT_TRUE(fits("[]]", "]"));
  EXPECT_TRUE(fits("*.{yml,yaml}", "a.yaml"));
  EXPECT_TRUE(fits("{a,b{c,d}}e", "bde"));
  EXPECT_FALSE(fits("{a,b}", "c"));
  EXPECT_TRUE(fits("\\*", "*"));
  EXPECT_FALSE(fits("\\*", "a"));
}

TEST(Glob, SaysWhatIsWrong) {
  for (const char* pattern : {"", "[a", "{a", "a\\"}) EXPECT_FALSE(Glob::parse(pattern)) << pattern;
  EXPECT_FALSE(Glob::parse("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"));
}

TEST(Glob, NoPatternTakesLong) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "*a";
  const auto glob = Glob::parse(pattern + "b");
  ASSERT_TRUE(glob);
  EXPECT_FALSE(glob->matches(std::string(5000, 'a')));
}

}  // namespace
}  // namespace airlock
