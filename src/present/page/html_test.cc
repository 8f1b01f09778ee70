#include "present/page/html.h"

#include <gtest/gtest.h>

namespace airlock::page {
namespace {

TEST(EscapeTest, NothingOfATextIsMarkup) {
  EXPECT_EQ(escape("<script>alert('x')</script>", Odd::kMarked),
            "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;");
  EXPECT_EQ(escape("\" onerror=\"x", Odd::kSpelt), "&quot; onerror=&quot;x");
  EXPECT_EQ(escape("a & b", Odd::kMarked), "a &amp; b");
  EXPECT_EQ(escape("</textarea>", Odd::kSpelt), "&lt;/textarea&gt;");
}

TEST(EscapeTest, WhatIsHiddenIsShown) {
  EXPECT_EQ(escape("a\xe2\x80\xae"
                   "b",
                   Odd::kMarked),
            "a<b class=\"odd\">&lt;U+202E&gt;</b>b");
  EXPECT_EQ(escape("a\xe2\x80\xae"
                   "b",
                   Odd::kSpelt),
            "a&lt;U+202E&gt;b");
  EXPECT_EQ(escape(std::string_view("a\0b", 3), Odd::kSpelt), "a\\x00b");
  EXPECT_EQ(escape("\xff", Odd::kSpelt), "\\xff");
  EXPECT_EQ(escape("a\nb", Odd::kSpelt), "a\\nb");
  EXPECT_EQ(escape("caf\xc3\xa9", Odd::kMarked), "caf\xc3\xa9");
}

// Every byte, alone and beside others: no tag is ever opened by a text, no attribute closed.
TEST(EscapeTest, NoByteOpensATag) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string text{static_cast<char>(first), static_cast<char>(second)};
      const std::string safe = escape(text, Odd::kSpelt);
      EXPECT_EQ(safe.find_first_of("<>\"'"), std::string::npos) << first << " " << second;
      EXPECT_EQ(safe.find('\0'), std::string::npos);
    }
  }
}

TEST(HtmlTest, LinesStayLinesAndLongTextIsCutWithAMark) {
  EXPECT_EQ(Html().lines("a\n\t<b>\n").bytes(), "a\n\t&lt;b&gt;\n");
  EXPECT_EQ(Html().text_up_to("abc", 3).bytes(), "abc");
  EXPECT_EQ(Html().text_up_to("abcdef", 3).bytes(), "abc<b class=\"cut\">… 3 more bytes</b>");
  // Between two characters, never inside of one.
  EXPECT_EQ(Html().text_up_to("\xc3\xa9\xc3\xa9", 3).bytes(),
            "\xc3\xa9<b class=\"cut\">… 2 more bytes</b>");
}

TEST(HtmlTest, LinksHoldNoMoreThanTheyShould) {
  EXPECT_EQ(url_part("sales@2"), "sales%402");
  EXPECT_EQ(url_part("../a b?&#\"\xff"), "..%2Fa%20b%3F%26%23%22%FF");
}

}  // namespace
}  // namespace airlock::page
