#include "base/lookalikes.h"

#include <gtest/gtest.h>

namespace airlock {

TEST(Skeletons, EveryLetterHasItsScript) {
  EXPECT_EQ(script_of(U'a'), "Latin");
  EXPECT_EQ(script_of(U'Z'), "Latin");
  EXPECT_EQ(script_of(0x00E9), "Latin");
  EXPECT_EQ(script_of(0x03B1), "Greek");
  EXPECT_EQ(script_of(0x0430), "Cyrillic");
  EXPECT_EQ(script_of(0x0561), "Armenian");
  EXPECT_EQ(script_of(0x3042), "Hiragana");
  EXPECT_EQ(script_of(0x30A2), "Katakana");
  EXPECT_EQ(script_of(0x540D), "Han");
  EXPECT_EQ(script_of(0xD30C), "Hangul");
  EXPECT_EQ(script_of(0x20000), "Han");
}

TEST(Skeletons, WhatEveryScriptUsesHasNone) {
  for (const char32_t value : {U'0', U'9', U'_', U'@', U'[', char32_t{0x0301}, char32_t{0x10FFFF}})
    EXPECT_EQ(script_of(value), "") << static_cast<unsigned>(value);
}

TEST(Skeletons, NamesThatLookTheSameHaveOneSkeleton) {
  EXPECT_EQ(skeleton("path"), skeleton("p\u0430th"));
  EXPECT_EQ(skeleton("exec"), skeleton("\u0435\u0445\u0435\u0441"));
  EXPECT_EQ(skeleton("\u043E"), skeleton("\u03BF"));
  EXPECT_EQ(skeleton("\u0451"), skeleton("\u00EB"));        // composed
  EXPECT_EQ(skeleton("\u0435\u0308"), skeleton("\u00EB"));  // and in parts
  EXPECT_EQ(skeleton("l0g"), skeleton("IOg"));
  EXPECT_EQ(skeleton("modern"), skeleton("modem"));
}

TEST(Skeletons, NamesThatLookDifferentHaveDifferentOnes) {
  EXPECT_NE(skeleton("path"), skeleton("Path"));
  EXPECT_NE(skeleton("\u0438\u043C\u044F"), skeleton("name"));
  EXPECT_NE(skeleton("e"), skeleton("\u00E9"));
  EXPECT_NE(skeleton("\u540D"), skeleton("\u524D"));
}

TEST(Skeletons, WhatIsNotUtf8HasNoSkeleton) {
  EXPECT_EQ(skeleton("\xFF\xFE"), "");
  EXPECT_EQ(skeleton(""), "");
}

TEST(Skeletons, ACodePointHasFourDigitsOrMore) {
  EXPECT_EQ(code_point_name(U'a'), "U+0061");
  EXPECT_EQ(code_point_name(0x1D429), "U+1D429");
  EXPECT_EQ(code_point_name(0x10FFFF), "U+10FFFF");
}

}  // namespace airlock
