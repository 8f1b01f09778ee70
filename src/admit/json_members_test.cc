// A request taken apart: each member as it was sent, or as what it should be.
#include "admit/json_members.h"

#include <gtest/gtest.h>

namespace airlock {
namespace {

TEST(JsonMembers, ValuesStayTheTextThatWasSent) {
  const std::string text =
      R"( {"a": 12345678901234567890123, "b" :{"z":1, "y":[2,{"x":"}"}]} ,"c":"q\"]},","d":null, "e":[] } )";
  const auto read = JsonMembers::read(text, 10);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->raw("a"), "12345678901234567890123");
  EXPECT_EQ(read->raw("b"), R"({"z":1, "y":[2,{"x":"}"}]})");
  EXPECT_EQ(read->raw("c"), R"("q\"]},")");
  EXPECT_TRUE(read->is_null("d"));
  EXPECT_EQ(read->raw("e"), "[]");
  EXPECT_EQ(read->raw("missing"), "");
  EXPECT_EQ(read->names(), (std::vector<std::string_view>{"a", "b", "c", "d", "e"}));
}

TEST(JsonMembers, WhatIsNoObjectIsNone) {
  for (const char* text : {"", "[]", "1", "{", "{\"a\":1,}", "{\"a\":1}x", "{\"a\":1,\"a\":2}",
                           "{\"a\":01}", "{'a':1}", "{\"a\":NaN}", "{\"a\":\"\\ud800\"}",
                           "{\"a\":\"\xff\"}", "{\"a\":\n1}", "{\"a\":[[[1]]]}"})
    EXPECT_FALSE(JsonMembers::read(text, 3)) << text;
  EXPECT_TRUE(JsonMembers::read("{}", 3));
}

TEST(JsonMembers, TextsAreWhatTheyStandFor) {
  const auto read =
      JsonMembers::read(R"({"a":"x\n\t\"\\\/\u00e9\ud83d\ude00","\u0062":"named"})", 3);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->text("a"), "x\n\t\"\\/é😀");
  EXPECT_EQ(read->text("b"), "named");
  EXPECT_FALSE(read->text("c"));
}

TEST(JsonMembers, EachKindIsItself) {
  const auto read = JsonMembers::read(
      R"({"n":-1.5e2,"t":true,"f":false,"s":"1","l":["a", "b" ,"c"],"m":["a",1],"o":{"n":1}})", 4);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->number("n"), -150.0);
  EXPECT_EQ(read->flag("t"), true);
  EXPECT_EQ(read->flag("f"), false);
  EXPECT_EQ(read->texts("l"), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(read->items("m")->size(), 2U);
  EXPECT_EQ((*read->items("m"))[1], "1");
  for (const char* name : {"t", "s", "l", "o", "missing"}) EXPECT_FALSE(read->number(name)) << name;
  for (const char* name : {"n", "s", "l", "o", "missing"}) EXPECT_FALSE(read->flag(name)) << name;
  for (const char* name : {"n", "t", "l", "o", "missing"}) EXPECT_FALSE(read->text(name)) << name;
  for (const char* name : {"n", "t", "s", "o", "m", "missing"})
    EXPECT_FALSE(read->texts(name)) << name;
}

}  // namespace
}  // namespace airlock
