#include "present/page/form.h"

#include <gtest/gtest.h>

namespace airlock::page {
namespace {

TEST(FormTest, FieldsAreDecoded) {
  const Fields fields = read_form("name=a%20b&note=x+y%0D%0Az&empty=&flag&&").value();
  EXPECT_EQ(field_of(fields, "name"), "a b");
  EXPECT_EQ(field_of(fields, "note"), "x y\nz");
  EXPECT_EQ(field_of(fields, "empty"), "");
  EXPECT_EQ(fields.size(), 4u);
  EXPECT_EQ(field_of(fields, "missing"), "");
  EXPECT_TRUE(read_form("")->empty());
  EXPECT_EQ(field_of(read_form("a=%00%ff").value(), "a"), std::string("\0\xff", 2));
}

TEST(FormTest, WhatIsNoFormIsRefused) {
  for (const char* bad : {"a=%", "a=%1", "a=%zz", "%=1", "a=1&a=2", "a=%4"})
    EXPECT_FALSE(read_form(bad)) << bad;
  EXPECT_FALSE(read_form("a=" + std::string(kMostFormBytes, 'x')));
  std::string many;
  for (std::size_t i = 0; i <= kMostFields; ++i) many += "f" + std::to_string(i) + "=1&";
  EXPECT_FALSE(read_form(many));
}

TEST(CookieTest, TheOneOfThatNameIsFound) {
  EXPECT_EQ(cookie_of("a=1; bb=2;c=3", "bb"), "2");
  EXPECT_EQ(cookie_of("a=1; bb=2;c=3", "c"), "3");
  EXPECT_EQ(cookie_of("a=1; a=2", "a"), "1");
  EXPECT_EQ(cookie_of("bb=2", "b"), "");
  EXPECT_EQ(cookie_of("b", "b"), "");
  EXPECT_EQ(cookie_of("", "b"), "");
  EXPECT_EQ(cookie_of(";;=;", "b"), "");
}

}  // namespace
}  // namespace airlock::page
