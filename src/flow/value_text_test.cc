#include "flow/value_text.h"

#include <gtest/gtest.h>

#include "flow/read_document.h"

namespace airlock::flow {
namespace {

TEST(JsonText, AnIntegerOfAnyLengthIsWrittenAsItWasRead) {
  for (const std::string text :
       {"[123456789012345678901234567890]", "{\"a\":-99999999999999999999}",
        "[18446744073709551615,-9223372036854775808,18446744073709551616,-9223372036854775809]"}) {
    const auto read = read_json(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(json_text(*read), text);
  }
}

TEST(JsonText, DigitsInTextsAndFractionsAreNoIntegers) {
  for (const std::string text :
       {"[\"123456789012345678901234567890\"]", "[\"\\\"1234567890123456789012\"]"}) {
    const auto read = read_json(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(json_text(*read), text);
  }
  const auto number = read_json("[1.12345678901234567890123,12345678901234567890123e5]");
  ASSERT_TRUE(number);
  EXPECT_TRUE((*number)[0].is_number_float());
  EXPECT_TRUE((*number)[1].is_number_float());
}

TEST(JsonText, NoTextAndNoKeyIsTakenForANumber) {
  // As marks were written once, and as the second reading of a document has them.
  for (const std::string text : {R"({"\u0001\u0002integer: 5":"\u0001\u0002integer: 5"})",
                                 R"(["#5","=5","#NaN","NaN"])", R"({"#1":1,"=1":2})"}) {
    const auto read = read_json(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(json_text(*read), text);
    const std::string beside = "[NaN," + text + ",12345678901234567890123]";
    const auto marked = read_json(beside);
    ASSERT_TRUE(marked) << beside;
    EXPECT_EQ(json_text((*marked)[1]), text);
    EXPECT_TRUE(as_long_integer((*marked)[2]));
  }
}

TEST(JsonText, WhatIsNotFiniteBesideALongIntegerIsRead) {
  const auto read = read_json("[NaN,123456789012345678901234567890]");
  ASSERT_TRUE(read);
  EXPECT_TRUE((*read)[0].is_number_float());
  EXPECT_TRUE(as_long_integer((*read)[1]));
}

}  // namespace
}  // namespace airlock::flow
