// What a cell may call JSON, held against another parser on thousands of damaged documents.
#include "admit/strict_json.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <random>
#include <set>
#include <string>

namespace airlock {
namespace {

bool is_json_object(std::string_view text) {
  static StrictJson reader(70);  // one for all: nothing of one text is left for the next
  return reader.is_object(text);
}

TEST(StrictJson, AnObjectIsOne) {
  for (const char* text :
       {"{}", "{ }", R"({"a":1})", R"({"a":{"b":[1,-2.5e+10,null,true,false,"x",[],{}]}})",
        R"({"":"\u00e9\ud83d\ude00\"\\\/\b\f\n\r\t"})", "{\"a\":\"\xC3\xA9\xF0\x9F\x98\x80\"}",
        R"({"a":0,"b":-0,"c":{"a":1},"d":[{"a":1},{"a":2}]})", R"({"a":1.7e308,"b":1e-999})",
        R"({"a":123456789012345678901234567890})"}) {
    EXPECT_TRUE(is_json_object(text)) << text;
  }
}

TEST(StrictJson, WhatIsNoObjectOrNotWholeIsRefused) {
  for (const char* text : {"",
                           "[]",
                           "1",
                           "\"a\"",
                           "{",
                           "}",
                           "{}}",
                           "{}{}",
                           "{} x",
                           R"({"a"})",
                           R"({"a":})",
                           R"({"a":1,})",
                           R"({,})",
                           R"({a:1})",
                           R"({'a':1})",
                           R"({"a":01})",
                           R"({"a":1.})",
                           R"({"a":.5})",
                           R"({"a":+1})",
                           R"({"a":1e})",
                           R"({"a":-})",
                           R"({"a":1e999})",
                           R"({"a":-1E+400})",
                           R"({"a":NaN})",
                           R"({"a":Infinity})",
                           R"({"a":tru})",
                           R"({"a":[1,]})",
                           R"({"a":[1})",
                           R"({"a":1])",
                           R"({"a":"\x"})",
                           R"({"a":"\u12"})",
                           R"({"a":"\ud800"})",
                           R"({"a":"\udc00"})",
                           R"({"a":"\ud800A"})",
                           "{\"a\":\"\x01\"}",
                           "{\"a\":\"\xFF\"}",
                           "{\"a\":\"\xC0\x80\"}",
                           "{\"a\":\"\xED\xA0\x80\"}",
                           R"({"a":"b)",
                           R"({"a":"b\)"}) {
    EXPECT_FALSE(is_json_object(text)) << text;
  }
}

TEST(StrictJson, AKeyComesOnceInAnObjectHoweverItIsSpelt) {
  EXPECT_FALSE(is_json_object(R"({"a":0,"a":0})"));
  EXPECT_FALSE(is_json_object(R"({"a":0,"b":1,"\u0061":2})"));
  EXPECT_FALSE(is_json_object(R"({"x":[{"y":{"k\n":1,"k\u000a":2}}]})"));
  EXPECT_FALSE(is_json_object("{\"\xF0\x9F\x98\x80\":1,\"\\ud83d\\ude00\":2}"));
  EXPECT_TRUE(is_json_object(R"({"a":{"a":{"a":1}},"A":2})"));
  std::string many = "{";
  for (int i = 0; i < 500; ++i) many += "\"k" + std::to_string(i) + "\":0,";
  EXPECT_TRUE(is_json_object(many + "\"k500\":0}"));
  EXPECT_FALSE(is_json_object(many + "\"k250\":0}"));
}

TEST(StrictJson, AValueIsOneValueAndNothingBehindIt) {
  StrictJson reader(3);
  for (const char* text : {"1", "null", "\"a\"", "[[[]]]", " {} "})
    EXPECT_TRUE(reader.is_value(text)) << text;
  for (const char* text : {"", "1 2", "1,\"action\":\"x\"", "{},{}", "[[[[]]]]", "1}"})
    EXPECT_FALSE(reader.is_value(text)) << text;
}

TEST(StrictJson, ALineEndWouldMakeTwoRowsOfOne) {
  EXPECT_FALSE(is_json_object("{\n}"));
  EXPECT_FALSE(is_json_object("{\"a\":1\r}"));
  EXPECT_FALSE(is_json_object("{}\n"));
}

TEST(StrictJson, DepthIsLimited) {
  const auto nested = [](std::size_t depth) {
    return "{\"a\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  EXPECT_TRUE(is_json_object(nested(60)));
  EXPECT_FALSE(is_json_object(nested(71)));
  EXPECT_FALSE(is_json_object(nested(1'000'000)));
}

// Whether a key comes twice in the outermost object.
bool has_duplicate_keys(simdjson::dom::object object) {
  std::set<std::string_view> keys;
  for (const auto field : object) {
    if (!keys.insert(field.key).second) return true;
  }
  return false;
}

// Damaged documents: ours and simdjson's reading agree, but for keys that come twice and for halves
// of surrogate pairs, which not every simdjson refuses.
TEST(StrictJson, AgreesWithAnotherParser) {
  const std::string seed =
      R"({"name":"x\u00e9\ud83d\ude00","n":[-1,"",0,"",{"k":null}],"ok":true,"é":"ü\n"})";
  const std::string letters = "{}[]\",:\\u0d8ef19.-+tnl \xC3\xA9\xFF\x01";
  std::mt19937 random(7);
  simdjson::dom::parser parser;
  for (int round = 0; round < 200'000; ++round) {
    std::string text = seed;
    const auto changes = 1 + random() % 3;
    for (unsigned i = 0; i < changes; ++i) {
      const std::size_t at = random() % text.size();
      const char letter = letters[random() % letters.size()];
      switch (random() % 3) {
        case 0:
          text[at] = letter;
          break;
        case 1:
          text.insert(at, 1, letter);
          break;
        default:
          text.erase(at, 1 + random() % 4);
      }
      if (text.empty()) text = "{}";
    }
    simdjson::dom::object object;
    const bool is_object = parser.parse(text).get(object) == simdjson::SUCCESS;
    if (is_json_object(text)) {
      ASSERT_TRUE(is_object) << text;
      ASSERT_FALSE(has_duplicate_keys(object)) << text;
    } else if (is_object && !has_duplicate_keys(object)) {
      ASSERT_NE(text.find("\\u"), std::string::npos) << text;
      ASSERT_EQ(text.find("\\ud83d\\ude00"), std::string::npos) << text;
    }
  }
}

}  // namespace
}  // namespace airlock
