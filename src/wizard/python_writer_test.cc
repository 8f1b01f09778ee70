#include "wizard/python_writer.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include "base/glob.h"

namespace airlock::wizard {
namespace {

TEST(PythonWriter, LiteralsReadBack) {
  EXPECT_EQ(python_literal("plain"), "\"plain\"");
  EXPECT_EQ(python_literal(R"(\d+)"), R"(r"\d+")");
  EXPECT_EQ(python_literal("a\"b"), R"("a\"b")");
  EXPECT_EQ(python_literal("a\\"), R"("a\\")");
  EXPECT_EQ(python_literal("a\nb\x01"), R"("a\x0ab\x01")");
  EXPECT_EQ(python_literal("\xff"), R"("\udcff")");
  EXPECT_EQ(python_literal("straße"), "\"straße\"");
}

TEST(PythonWriter, GlobsBecomePatterns) {
  EXPECT_EQ(python_pattern_of_glob("**/data/CLIENT-*/????/Q*/*.csv"),
            R"((?:.*/)?data/CLIENT-[^/]*/[^/]{4}/Q[^/]*/[^/]*\.csv)");
  EXPECT_EQ(python_pattern_of_glob("a/**"), "a/.*");
  EXPECT_EQ(python_pattern_of_glob("{a,b.c}/[!0-9]x"), R"((?:a|b\.c)/[^0-9]x)");
  EXPECT_EQ(python_pattern_of_glob("a[b"), R"(a\[b)");
}

// Both readings of a glob agree on paths that fit and paths that nearly do. RE2 stands in for
// Python's re: none of what is written here means something else there.
TEST(PythonWriter, PatternsMatchWhatGlobsMatch) {
  const std::vector<std::string> globs = {"**/data/*/????/*.csv", "**/x/{a,b}/*.txt",
                                          "**/[a-c]*/q?/**", "**/*.tar.gz", "a+b/(c)/$d/^e"};
  const std::vector<std::string> paths = {
      "data/k/2024/r.csv", "p/data/k/2024/r.csv", "data/k/20245/r.csv", "x/a/n.txt",
      "z/x/b/n.txt",       "x/c/n.txt",           "abc/q1/deep/er",     "dbc/q1/deep",
      "f.tar.gz",          "d/f.tar.gz",          "f.tarxgz",           "a+b/(c)/$d/^e"};
  for (const std::string& glob : globs) {
    const re2::RE2 pattern(python_pattern_of_glob(glob));
    const auto reference = Glob::parse(glob);
    ASSERT_TRUE(pattern.ok() && reference) << glob;
    for (const std::string& path : paths)
      EXPECT_EQ(re2::RE2::FullMatch(path, pattern), reference->matches(path))
          << glob << " on " << path;
  }
}

}  // namespace
}  // namespace airlock::wizard
