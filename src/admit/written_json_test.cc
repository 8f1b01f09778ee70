// What is written is JSON on one line, that no terminal obeys, and that reads back as it was.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "admit/strict_json.h"
#include "base/json_writer.h"
#include "base/utf8.h"

namespace airlock {
namespace {

std::string string_of(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

std::string number_of(double value) {
  std::string out;
  append_json_number(out, value);
  return out;
}

// As another parser reads it.
std::string read_back(const std::string& json) {
  simdjson::dom::parser parser;
  std::string_view text;
  const auto error = parser.parse(simdjson::padded_string(json)).get(text);
  return error ? "not read: " + json : std::string(text);
}

// ---- strings

TEST(WrittenJson, PlainTextStandsInQuotes) {
  EXPECT_EQ(string_of(""), "\"\"");
  EXPECT_EQ(string_of("abc 123"), "\"abc 123\"");
  EXPECT_EQ(string_of("ü€😀"), "\"ü€😀\"");
}

TEST(WrittenJson, QuotesAndBackslashesAreEscaped) {
  EXPECT_EQ(string_of("a\"b"), "\"a\\\"b\"");
  EXPECT_EQ(string_of("a\\b"), "\"a\\\\b\"");
  EXPECT_EQ(string_of("\\\""), "\"\\\\\\\"\"");
  EXPECT_EQ(string_of("a/b"), "\"a/b\"");
}

TEST(WrittenJson, EveryControlCharacterIsEscapedAndReadsBack) {
  for (int c = 1; c < 0x20; ++c) {
    const std::string text = std::string("a") + static_cast<char>(c) + "b";
    const std::string json = string_of(text);
    for (const char byte : json) EXPECT_GE(static_cast<unsigned char>(byte), 0x20) << c;
    EXPECT_EQ(read_back(json), text) << c;
  }
  EXPECT_EQ(read_back(string_of("\x7F")), "\x7F");
}

TEST(WrittenJson, WhatATerminalObeysOrHidesIsEscapedAndReadsBack) {
  for (const char32_t point :
       {0x80,   0x85,   0x9B,   0x9F,   0x2028, 0x2029, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E,
        0x2066, 0x2067, 0x2068, 0x2069, 0x200E, 0x200F, 0x061C, 0xFEFF, 0x200B, 0xE0041}) {
    std::string text;
    append_utf8(text, point);
    const std::string json = string_of("a" + text + "b");
    EXPECT_EQ(json.find(text), std::string::npos) << std::hex << static_cast<unsigned>(point);
    EXPECT_EQ(read_back(json), "a" + text + "b");
  }
}

TEST(WrittenJson, EveryCharacterReadsBackAndIsOneStrictValue) {
  StrictJson strict(1);
  for (char32_t point = 1; point <= 0x10FFFF; point += point < 0x3000 ? 1 : 257) {
    if (point >= 0xD800 && point <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, point);
    const std::string json = string_of(text);
    ASSERT_TRUE(strict.is_value(json)) << std::hex << static_cast<unsigned>(point);
    ASSERT_EQ(read_back(json), text) << std::hex << static_cast<unsigned>(point);
  }
}

TEST(WrittenJson, AddsToWhatIsThere) {
  std::string out = "[";
  append_json_string(out, "a");
  out += ",";
  append_json_integer(out, -1);
  out += "]";
  EXPECT_EQ(out, "[\"a\",-1]");
}

TEST(WrittenJson, TextOfAnyLengthIsWrittenWhole) {
  for (const std::size_t size : {0U, 1U, 15U, 16U, 17U, 63U, 64U, 65U, 100'000U}) {
    std::string text(size, 'x');
    EXPECT_EQ(string_of(text).size(), size + 2);
    if (size == 0) continue;
    for (const std::size_t at : {std::size_t{0}, size / 2, size - 1}) {
      text.assign(size, 'x');
      text[at] = '"';
      EXPECT_EQ(read_back(string_of(text)), text) << size << " " << at;
    }
  }
}

// ---- whole numbers

TEST(WrittenJson, WholeNumbersAreWrittenToTheirLimits) {
  const auto integer = [](std::int64_t value) {
    std::string out;
    append_json_integer(out, value);
    return out;
  };
  const auto natural = [](std::uint64_t value) {
    std::string out;
    append_json_natural(out, value);
    return out;
  };
  EXPECT_EQ(integer(0), "0");
  EXPECT_EQ(integer(-1), "-1");
  EXPECT_EQ(integer(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(integer(std::numeric_limits<std::int64_t>::max()), "9223372036854775807");
  EXPECT_EQ(natural(0), "0");
  EXPECT_EQ(natural(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
}

// ---- other numbers

TEST(WrittenJson, ARealNumberIsNeverWrittenAsAWholeOne) {
  for (const double value : {0.0, -0.0, 1.0, -1.0, 100.0, 1e15, 1e16, 123456789.0}) {
    const std::string json = number_of(value);
    EXPECT_NE(json.find_first_of(".e"), std::string::npos) << json;
  }
  EXPECT_EQ(number_of(1.0), "1.0");
  EXPECT_EQ(number_of(1.5), "1.5");
}

TEST(WrittenJson, RealNumbersReadBackAsTheSame) {
  std::mt19937_64 random(11);  // the same numbers every time
  StrictJson strict(1);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    const std::string json = number_of(value);
    ASSERT_TRUE(strict.is_value(json)) << json;
    ASSERT_EQ(std::strtod(json.c_str(), nullptr), value) << json;
  }
}

TEST(WrittenJson, TheSmallestAndTheLargestReadBack) {
  for (const double value :
       {std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest(),
        std::numeric_limits<double>::min(), std::numeric_limits<double>::denorm_min(), 0.1, 1.0 / 3,
        1e-7, 1e21, 1e22, 5e-324}) {
    EXPECT_EQ(std::strtod(number_of(value).c_str(), nullptr), value);
  }
}

}  // namespace
}  // namespace airlock
