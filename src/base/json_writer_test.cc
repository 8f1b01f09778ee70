#include "base/json_writer.h"

#include <gtest/gtest.h>

namespace airlock {
namespace {

std::string shown(std::string_view json) {
  return shown_json(std::string(json));
}

std::string raw(std::string_view text) {
  std::string out;
  append_raw_json_string(out, text);
  return out;
}

TEST(JsonWriter, BytesThatAreNotUtf8BecomeHalvesOfSurrogatePairs) {
  EXPECT_EQ(json_string("/\xFF\xC3(\xED\xA0\x80\xC3\xA9"),
            "\"/\\udcff\\udcc3(\\udced\\udca0\\udc80\xC3\xA9\"");
  EXPECT_EQ(shown("\"\xFF\""), "\"\\udcff\"");
}

TEST(JsonWriter, NothingThatATerminalObeysStandsInAString) {
  EXPECT_EQ(json_string("\x1b[31m\x7f\xC2\x9B"), R"("\u001b[31m\u007f\u009b")");
  EXPECT_EQ(json_string("\u061C\u200E\u2028\u202E\u2066"), R"("\u061c\u200e\u2028\u202e\u2066")");
}

TEST(JsonWriter, NothingThatATerminalHidesStandsInAString) {
  EXPECT_EQ(json_string("a\uFEFFb\u200B\u00AD\U000E0041"), R"("a\ufeffb\u200b\u00ad\udb40\udc41")");
}

TEST(JsonWriter, LettersOfAllScriptsStandAsTheyAre) {
  EXPECT_EQ(json_string("\u00E9\u0627\u4E2D\U0001F600"), "\"\u00E9\u0627\u4E2D\U0001F600\"");
}

TEST(JsonWriter, CommonControlsHaveTheShortEscape) {
  EXPECT_EQ(json_string("\b\f\n\r\t\"\\\x01"), R"("\b\f\n\r\t\"\\\u0001")");
}

TEST(JsonWriter, ARawStringHasEscapesForControlsOnly) {
  EXPECT_EQ(raw("a\n\x7F\"\uFEFF"), "\"a\\n\\u007f\\\"\uFEFF\"");
}

TEST(JsonWriter, FinishedJsonKeepsItsLinesAndDigits) {
  const std::string json = "{\n  \"a\": 1.50,\n  \"\u00E9\": 123456789012345678901234567890\n}\n";
  EXPECT_EQ(shown(json), json);
  EXPECT_EQ(shown("{\"\u009B2J\":\"\x7F\u061C!\uFEFF\"}"), R"({"\u009b2J":"\u007f\u061c!\ufeff"})");
}

TEST(JsonWriter, WhatIsSpecialIsSeenAtEveryPlaceOfAWord) {
  for (std::size_t at = 0; at < 20; ++at) {
    for (const char c : {'"', '\\', '\n', '\x1F', '\x7F'}) {
      std::string text(20, 'x');
      text[at] = c;
      EXPECT_GT(json_string(text).size(), text.size() + 2) << at;
      EXPECT_EQ(shown(text).size() > text.size(), c == '\x7F') << at;
    }
  }
}

TEST(JsonWriter, ARealNumberHasPythonsForm) {
  std::string out;
  for (const double value : {100000.0, 0.1, -0.0, 1e16, 1e-7}) {
    append_json_number(out, value);
    out += ' ';
  }
  EXPECT_EQ(out, "100000.0 0.1 -0.0 1e+16 1e-07 ");
}

}  // namespace
}  // namespace airlock
