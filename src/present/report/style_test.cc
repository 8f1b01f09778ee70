#include "present/report/style.h"

#include <gtest/gtest.h>

namespace airlock::cli {
namespace {

TEST(Paint, AddsNothingWithoutColour) {
  EXPECT_EQ(paint("error", Style::kError, Colour::kNever), "error");
}

TEST(Paint, EndsWhatItStarts) {
  EXPECT_EQ(paint("error", Style::kError, Colour::kAlways), "\x1b[1;31merror\x1b[0m");
  EXPECT_EQ(paint("", Style::kError, Colour::kAlways), "");
}

TEST(Paint, GivesEachSeverityItsOwnColour) {
  EXPECT_NE(paint("x", style_of(Severity::kError), Colour::kAlways),
            paint("x", style_of(Severity::kWarning), Colour::kAlways));
  EXPECT_NE(paint("x", style_of(Severity::kWarning), Colour::kAlways),
            paint("x", style_of(Severity::kNote), Colour::kAlways));
}

TEST(Wrap, BreaksBetweenWords) {
  EXPECT_EQ(wrap("one two three", 7, 2), "one two\n  three");
  EXPECT_EQ(wrap("one two three", 13, 2), "one two three");
  EXPECT_EQ(wrap("", 10, 2), "");
}

TEST(Wrap, LeavesALongWordWhole) {
  EXPECT_EQ(wrap("a ().__class__.__base__ b", 6, 0), "a\n().__class__.__base__\nb");
}

TEST(Wrap, CountsCharactersNotBytes) {
  EXPECT_EQ(wrap("éé éé", 5, 0), "éé éé");
}

TEST(Counted, KnowsThePlural) {
  EXPECT_EQ(counted(0, "error"), "0 errors");
  EXPECT_EQ(counted(1, "error"), "1 error");
  EXPECT_EQ(counted(2, "error"), "2 errors");
}

}  // namespace
}  // namespace airlock::cli
