#include "base/utf8.h"

#include <gtest/gtest.h>

namespace airlock {
namespace {

TEST(Utf8, EveryCodePointComesBack) {
  for (char32_t value = 0; value <= 0x10FFFF; ++value) {
    if (value >= 0xD800 && value <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, value);
    const CodePoint point = decode_utf8(text, 0);
    ASSERT_EQ(point.value, value);
    ASSERT_EQ(point.bytes, text.size());
  }
}

TEST(Utf8, WhatIsNotUtf8IsFoundAtItsFirstByte) {
  const struct {
    std::string_view text;
    std::size_t at;
    const char* what;
  } cases[] = {
      {"a\x80", 1, "a continuation without a start"},
      {"\xC3", 0, "cut in the middle"},
      {"ab\xE2\x82", 2, "cut in the middle"},
      {"\xC0\x80", 0, "NUL in two bytes"},
      {"\xC1\xBF", 0, "overlong"},
      {"\xE0\x9F\xBF", 0, "overlong"},
      {"\xF0\x8F\xBF\xBF", 0, "overlong"},
      {"\xED\xA0\x80", 0, "a surrogate"},
      {"\xED\xBF\xBF", 0, "a surrogate"},
      {"\xF4\x90\x80\x80", 0, "past U+10FFFF"},
      {"\xF5\x80\x80\x80", 0, "past U+10FFFF"},
      {"x\xFF", 1, "no byte of UTF-8"},
      {"\xC3\xA9\xC3(", 2, "a start without its continuation"},
  };
  for (const auto& one : cases) EXPECT_EQ(find_invalid_utf8(one.text), one.at) << one.what;
}

TEST(Utf8, GoodTextHasNoBadByte) {
  for (const std::string_view text :
       {"", "plain", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", "\xED\x9F\xBF\xEE\x80\x80"})
    EXPECT_EQ(find_invalid_utf8(text), std::nullopt);
  EXPECT_EQ(find_invalid_utf8(std::string_view("a\0b", 3)), std::nullopt) << "NUL is UTF-8 too";
}

TEST(Utf8, PastTheEndThereIsNothing) {
  EXPECT_EQ(decode_utf8("a", 1).bytes, 0u);
  EXPECT_EQ(decode_utf8("a", 99).bytes, 0u);
}

TEST(Utf8, TextIsCutBetweenCodePoints) {
  EXPECT_EQ(cut_utf8("abc", 2), "ab");
  EXPECT_EQ(cut_utf8("abc", 3), "abc");
  EXPECT_EQ(cut_utf8("a\xC3\xA9z", 2), "a");
  EXPECT_EQ(cut_utf8("a\xC3\xA9z", 3), "a\xC3\xA9");
  EXPECT_EQ(cut_utf8("\xF0\x9F\x98\x80", 3), "");
  EXPECT_EQ(cut_utf8("", 5), "");
}

TEST(Utf8, CodePointsAreCountedNotBytes) {
  EXPECT_EQ(count_code_points(""), 0u);
  EXPECT_EQ(count_code_points("caf\xC3\xA9 \xF0\x9F\x98\x80"), 6u);
}

}  // namespace
}  // namespace airlock
