#include "engine/json_check.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>

namespace airlock {
namespace {

TEST(JsonCheck, AnObjectIsOne) {
  for (const char* text :
       {"{}", "{ }", R"({"a":1})", R"({"a":{"b":[1,-2.5e+10,null,true,false,"x",[],{}]}})",
        R"({"":"\u00e9\ud83d\ude00\"\\\/\b\f\n\r\t"})", "{\"a\":\"\xC3\xA9\xF0\x9F\x98\x80\"}",
        R"({"a":0,"a":-0})", R"({"a":123456789012345678901234567890})"}) {
    EXPECT_TRUE(is_json_object(text)) << text;
  }
}

TEST(JsonCheck, WhatIsNoObjectOrNotWholeIsRefused) {
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

TEST(JsonCheck, ALineEndWouldMakeTwoRowsOfOne) {
  EXPECT_FALSE(is_json_object("{\n}"));
  EXPECT_FALSE(is_json_object("{\"a\":1\r}"));
  EXPECT_FALSE(is_json_object("{}\n"));
}

TEST(JsonCheck, DepthIsLimited) {
  const auto nested = [](std::size_t depth) {
    return "{\"a\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  EXPECT_TRUE(is_json_object(nested(60)));
  EXPECT_FALSE(is_json_object(nested(71)));
  EXPECT_FALSE(is_json_object(nested(1'000'000)));
}

// Damaged documents: ours and nlohmann's reading agree, but for numbers that no double holds and
// for line ends.
TEST(JsonCheck, AgreesWithAnotherParser) {
  const std::string seed =
      R"({"name":"x\u00e9\ud83d\ude00","n":[-1,"",0,"",{"k":null}],"ok":true,"é":"ü\n"})";
  const std::string letters = "{}[]\",:\\u0d8ef19.-+tnl \xC3\xA9\xFF\x01";
  std::mt19937 random(7);
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
    const auto parsed = nlohmann::json::parse(text, nullptr, false);
    ASSERT_EQ(is_json_object(text), parsed.is_object()) << text;
  }
}

}  // namespace
}  // namespace airlock
