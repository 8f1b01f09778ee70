// JSON on its way to a terminal, and a stranger's JSON on its way in, with its keys in their order
// (base/json_reader.h; the library that it is held against may not be named in base).
#include "present/report/json_text.h"

#include <gtest/gtest.h>

#include <random>

#include "base/json_reader.h"

namespace airlock::cli {
namespace {

using Json = nlohmann::ordered_json;

TEST(JsonText, LeavesWhatCanBeSeenAlone) {
  EXPECT_EQ(json_text(Json{{"a", "東京 😀 é"}}, -1), "{\"a\":\"東京 😀 é\"}");
  EXPECT_EQ(json_text(Json::array({1, "x"}), 1), "[\n 1,\n \"x\"\n]");
}

TEST(JsonText, EscapesWhatATerminalWouldObeyOrHide) {
  EXPECT_EQ(json_text("\x1b\x7f\u009b\u202e\u200b\U000E0041", -1),
            R"("\u001b\u007f\u009b\u202e\u200b\udb40\udc41")");
}

TEST(JsonText, ReadsBackAsTheSameValue) {
  const std::string text = "a\x7f\u0085\u2066\U000E0041\U0010FFFF\u00a0\\u202e\"z";
  EXPECT_EQ(Json::parse(json_text(text, -1)), Json(text));
}

TEST(JsonText, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(json_text("a\xff", -1), "\"a\uFFFD\"");
}

// ---- a stranger's JSON

// As the library has it, and the same as text: equal, in the same order, or refused by both.
void expect_read_alike(const std::string& text) {
  const Json ours = read_ordered_json<Json>(text);
  const Json theirs = Json::parse(text, nullptr, false);
  EXPECT_EQ(ours.is_discarded(), theirs.is_discarded()) << text;
  if (theirs.is_discarded()) return;
  EXPECT_EQ(ours.dump(), theirs.dump()) << text;
}

TEST(JsonReader, ReadsEveryKindOfValueAsTheLibraryDoes) {
  for (const char* text :
       {"null", "true", "false", "0", "-1", "18446744073709551615", "-9223372036854775808",
        "18446744073709551616", "1.5", "1e300", "\"\"", "\"a\\u00e9\\n\"", "[]", "{}", "[[],{}]",
        R"({"z":1,"a":[1,{"y":null,"b":"x"}],"m":{}})", R"([{"b":1,"a":2},{"a":1,"b":2}])",
        " {\n} "})
    expect_read_alike(text);
}

TEST(JsonReader, WhatIsNoJsonIsDiscardedAsThere) {
  for (const char* text : {"", " ", "{", "[1,]", "{\"a\":}", "{\"a\" 1}", "1 2", "nul", "NaN",
                           "1e999", "\"\xFF\"", "\"\\ud800\"", "{\"a\":1}}", "[", "\"a", "{a:1}"})
    expect_read_alike(text);
}

TEST(JsonReader, AKeyThatComesAgainKeepsItsPlaceAndGetsTheLaterValue) {
  EXPECT_EQ(read_ordered_json<Json>(R"({"a":1,"b":2,"a":[3],"c":4})").dump(),
            R"({"a":[3],"b":2,"c":4})");
  // One by one up to sixteen keys, by a tree beyond: the border is met from both sides.
  for (const int count : {1, 14, 15, 16, 17, 18, 40}) {
    for (const int again : {0, count / 2, count - 1}) {
      std::string text = "{";
      for (int i = 0; i < count; ++i) text += "\"k" + std::to_string(i) + "\":0,";
      text += "\"k" + std::to_string(again) + "\":{\"x\":1},\"z\":0,\"k" + std::to_string(again) +
              "\":[2]}";
      expect_read_alike(text);
    }
  }
}

TEST(JsonReader, DamagedTextsAreReadAlike) {
  const std::string seed = R"({"b":[1,{"a":null,"b":"x"}],"a":{"b":-1.5,"a":true},"b":[]})";
  const std::string letters = "{}[]\",:01ab-\\ ";
  std::mt19937 random(12);  // the same texts every time
  for (int round = 0; round < 20'000; ++round) {
    std::string text = seed;
    for (auto changes = 1 + random() % 3; changes > 0; --changes)
      text[random() % text.size()] = letters[random() % letters.size()];
    expect_read_alike(text);
  }
}

// The library needs minutes for these.
TEST(JsonReader, AMegabyteOfKeysIsReadInGoodTime) {
  std::string text = "{\"in\":{";
  for (int i = 0; i < 100'000; ++i) text += "\"k" + std::to_string(i) + "\":0,";
  text += "\"k7\":1},\"out\":2}";
  const Json value = read_ordered_json<Json>(text);
  ASSERT_TRUE(value.is_object());
  EXPECT_EQ(value["in"].size(), 100'000U);
  EXPECT_EQ(value["in"]["k7"], 1);
  EXPECT_EQ(value["out"], 2);
}

TEST(OnOneLine, OnlyLineEndsBetweenValuesAreLeftOut) {
  const Json value = {{"a", "x\ny"}, {"b", {1, 2}}};
  const std::string line = on_one_line(json_page(value));
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(Json::parse(line), value);
}

}  // namespace
}  // namespace airlock::cli
