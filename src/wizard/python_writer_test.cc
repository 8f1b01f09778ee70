#include "wizard/python_writer.h"

#include <gtest/gtest.h>

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
  EXPECT_EQ(python_pattern_of_glob("**/data/CLIENT-*/???"
                                   "?/Q*/*.csv"),
            R"((?:.*/)?data/CLIENT-[^/]*/[^/]{4}/Q[^/]*/[^/]*\.csv)");
  EXPECT_EQ(python_pattern_of_glob("a/**"), "a/.*");
  EXPECT_EQ(python_pattern_of_glob("{a,b.c}/[!0-9]x"), R"((?:a|b\.c)/[^0-9]x)");
  EXPECT_EQ(python_pattern_of_glob("a[b"), R"(a\[b)");
}

}  // namespace
}  // namespace airlock::wizard
