// Numbers at their borders, for the two readers of cells and documents: the inner door, which keeps
// to 64 bits and doubles, and the strict reader, which keeps whole numbers of any size. One table
// says for each spelling what it is at which door; another, what a probe may say as its duration.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "admit/admit.h"
#include "admit/sanitize.h"
#include "admit/strict_json.h"

namespace airlock {
namespace {

// What a spelling is: a number, one that is out of range, or none.
enum class Spelled { kNumber, kOutOfRange, kNoNumber };

struct NumberCase {
  std::string text;
  Spelled door;      // admit.h
  bool strict;       // strict_json.h takes it
  std::string kept;  // as the sanitizer writes it; empty: as it was
};

const std::string kNines(400, '9');
const std::string kZeros(400, '0');

const std::vector<NumberCase>& number_cases() {
  using enum Spelled;
  static const std::vector<NumberCase> cases = {
      // zero, with and without a sign
      {"0", kNumber, true, ""},
      {"-0", kNumber, true, "0"},
      {"0.0", kNumber, true, ""},
      {"-0.0", kNumber, true, ""},
      {"0e0", kNumber, true, "0.0"},
      {"-0e-0", kNumber, true, "-0.0"},
      {"00", kNoNumber, false, ""},
      {"-00", kNoNumber, false, ""},
      {"+0", kNoNumber, false, ""},
      {"0.", kNoNumber, false, ""},
      {".0", kNoNumber, false, ""},
      // 53, 63 and 64 bits
      {"9007199254740993", kNumber, true, ""},
      {"9223372036854775807", kNumber, true, ""},
      {"9223372036854775808", kNumber, true, ""},
      {"18446744073709551615", kNumber, true, ""},
      {"18446744073709551616", kOutOfRange, true, ""},
      {"-9223372036854775808", kNumber, true, ""},
      {"-9223372036854775809", kOutOfRange, true, ""},
      {"-18446744073709551615", kOutOfRange, true, ""},
      {"99999999999999999999", kOutOfRange, true, ""},
      {"100000000000000000000", kOutOfRange, true, ""},
      {kNines, kOutOfRange, true, ""},
      {"-" + kNines, kOutOfRange, true, ""},
      // doubles, at both ends
      {"1.7976931348623157e308", kNumber, true, "1.7976931348623157e+308"},
      {"1.7976931348623159e308", kOutOfRange, false, ""},
      {"-1.7976931348623157E+308", kNumber, true, "-1.7976931348623157e+308"},
      {"1e308", kNumber, true, "1e+308"},
      {"1e309", kOutOfRange, false, ""},
      {"-1e309", kOutOfRange, false, ""},
      {"1e99999999999999999999", kOutOfRange, false, ""},
      {"1e-99999999999999999999", kNumber, true, "0.0"},
      {"5e-324", kNumber, true, ""},
      {"2e-324", kNumber, true, "0.0"},
      {"0e99999", kNumber, true, "0.0"},
      {kNines + ".0", kOutOfRange, false, ""},
      {kNines + "e-400", kNumber, true, "1.0"},
      {"0." + kZeros + "1", kNumber, true, "0.0"},
      {"0." + kZeros + "1e400", kNumber, true, "0.1"},
      {"1." + kZeros, kNumber, true, "1.0"},
      // spellings of other languages
      {"1e", kNoNumber, false, ""},
      {"1e+", kNoNumber, false, ""},
      {"1e1.5", kNoNumber, false, ""},
      {"1E5", kNumber, true, "100000.0"},
      {"1.5.2", kNoNumber, false, ""},
      {"1_000", kNoNumber, false, ""},
      {"0x1F", kNoNumber, false, ""},
      {"0o17", kNoNumber, false, ""},
      {"0b1", kNoNumber, false, ""},
      {"1f", kNoNumber, false, ""},
      {"1L", kNoNumber, false, ""},
      {"1j", kNoNumber, false, ""},
      {"--1", kNoNumber, false, ""},
      {"-", kNoNumber, false, ""},
      {"- 1", kNoNumber, false, ""},
      {"\xEF\xBC\x91", kNoNumber, false, ""},  // a full-width 1
      {"\xE2\x88\x92"
       "1",
       kNoNumber, false, ""},  // a minus sign that is none
      // what is no number at all
      {"NaN", kNoNumber, false, ""},
      {"nan", kNoNumber, false, ""},
      {"NAN", kNoNumber, false, ""},
      {"-NaN", kNoNumber, false, ""},
      {"nan(0x1)", kNoNumber, false, ""},
      {"Infinity", kNoNumber, false, ""},
      {"+Infinity", kNoNumber, false, ""},
      {"-Infinity", kNoNumber, false, ""},
      {"infinity", kNoNumber, false, ""},
      {"INF", kNoNumber, false, ""},
      {"inf", kNoNumber, false, ""},
      {"-inf", kNoNumber, false, ""},
      {"1.#INF", kNoNumber, false, ""},
  };
  return cases;
}

// Short enough for a message of a test.
std::string shown(const std::string& text) {
  return text.size() < 60 ? text : text.substr(0, 56) + "…";
}

std::string with(const std::string& number) {
  return "{\"n\":" + number + "}";
}

TEST(NumberBorders, TheDoorKeepsToSixtyFourBitsAndDoubles) {
  Admitter admitter;
  for (const NumberCase& one : number_cases()) {
    const auto admitted = admitter.admit(with(one.text), Form::kBare);
    EXPECT_EQ(admitted.has_value(), one.door == Spelled::kNumber) << shown(one.text);
    if (admitted) continue;
    const AdmitError& first = admitted.error().errors.at(0);
    EXPECT_EQ(to_string(first.path), "n") << shown(one.text);
    const bool is_range = first.message.find("out of range") != std::string::npos;
    EXPECT_EQ(is_range, one.door == Spelled::kOutOfRange) << shown(one.text) << first.message;
  }
}

TEST(NumberBorders, TheStrictReaderTakesWholeNumbersOfAnySize) {
  StrictJson strict(2);
  for (const NumberCase& one : number_cases()) {
    EXPECT_EQ(strict.is_value(one.text), one.strict) << shown(one.text);
    EXPECT_EQ(strict.is_object(with(one.text)), one.strict) << shown(one.text);
    EXPECT_EQ(strict.is_value("[" + one.text + "," + one.text + "]"), one.strict)
        << shown(one.text);
  }
}

TEST(NumberBorders, WhatIsKeptReadsBackAsTheSameNumber) {
  Admitter admitter;
  Sanitizer sanitizer;
  for (const NumberCase& one : number_cases()) {
    if (one.door != Spelled::kNumber) continue;
    const auto admitted = admitter.admit(with(one.text), Form::kBare);
    ASSERT_TRUE(admitted) << shown(one.text);
    const auto kept = sanitizer.sanitize(*admitted);
    ASSERT_TRUE(kept) << shown(one.text);
    EXPECT_EQ(kept->json(), with(one.kept.empty() ? one.text : one.kept)) << shown(one.text);
  }
}

TEST(NumberBorders, ANumberThatIsOutOfRangeDoesNotHideTheNextMistake) {
  Admitter admitter;
  for (const NumberCase& one : number_cases()) {
    if (one.door != Spelled::kOutOfRange) continue;
    const auto refused =
        admitter.admit("{\"a\":" + one.text + ",\"b\":[1," + one.text + "],\"c\":1}", Form::kBare);
    ASSERT_FALSE(refused) << shown(one.text);
    ASSERT_EQ(refused.error().errors.size(), 2U) << shown(one.text);
    EXPECT_EQ(to_string(refused.error().errors[1].path), "b[1]") << shown(one.text);
  }
}

// The text of a number is a value: it is repeated by nobody.
TEST(NumberBorders, NoMessageRepeatsANumber) {
  Admitter admitter;
  for (const char* number :
       {"31337424242e999", "313374242421111111111", "031337", "31337x", "+31337", "31337.",
        "0x31337", "NaN31337", "31337e", "-Infinity31337"}) {
    const auto refused = admitter.admit(with(number), Form::kBare);
    ASSERT_FALSE(refused) << number;
    for (const AdmitError& error : refused.error().errors)
      EXPECT_EQ(error.message.find("31337"), std::string::npos) << error.message;
  }
}

// ---- the duration of a probe

std::string output_with_duration(const std::string& number) {
  return R"({"schema_slice":{},"raw_artifacts":[],"confidence":"low","duration_ms":)" + number +
         R"(,"warnings":[],"errors":[]})";
}

TEST(NumberBorders, ADurationIsAWholeNumberFromZeroOn) {
  Admitter admitter;
  for (const char* number :
       {"0", "-0", "1", "9223372036854775807", "9223372036854775808", "18446744073709551615"})
    EXPECT_TRUE(admitter.admit(output_with_duration(number), Form::kProbeOutput)) << number;
  struct Wrong {
    const char* value;
    const char* says;
  };
  for (const auto& [value, says] :
       {Wrong{"-1", "a negative integer"}, Wrong{"-9223372036854775808", "a negative integer"},
        Wrong{"1.0", "a number with a fraction"}, Wrong{"1e3", "a number with a fraction"},
        Wrong{"-0.0", "a number with a fraction"}, Wrong{"true", "a boolean"},
        Wrong{"null", "null"}, Wrong{"\"1\"", "a string"}, Wrong{"[1]", "a list"},
        Wrong{"{}", "an object"}, Wrong{"18446744073709551616", "out of range"},
        Wrong{"NaN", "NaN is not a JSON value"}}) {
    const auto refused = admitter.admit(output_with_duration(value), Form::kProbeOutput);
    ASSERT_FALSE(refused) << value;
    ASSERT_EQ(refused.error().errors.size(), 1U) << value;
    EXPECT_EQ(to_string(refused.error().errors[0].path), "duration_ms") << value;
    EXPECT_NE(refused.error().errors[0].message.find(says), std::string::npos)
        << value << ": " << refused.error().errors[0].message;
  }
}

// ---- long numbers cost what their length costs

TEST(NumberBorders, AMegabyteOfDigitsIsReadByBoth) {
  const std::string digits(1U << 20, '7');
  Admitter admitter;
  StrictJson strict(2);
  EXPECT_FALSE(admitter.admit(with(digits), Form::kBare));
  EXPECT_TRUE(strict.is_object(with(digits)));
  EXPECT_FALSE(strict.is_object(with(digits + ".5"))) << "no double is so large";
  EXPECT_TRUE(strict.is_object(with("0." + digits)));
  EXPECT_TRUE(admitter.admit(with("0." + digits), Form::kBare));
  EXPECT_FALSE(strict.is_object(with("1e" + digits)));
}

TEST(NumberBorders, TheLengthFromWhichARealNumberIsMeasuredHidesNone) {
  StrictJson strict(1);
  for (std::size_t size = 290; size < 330; ++size) {
    const std::string whole(size, '9');
    EXPECT_EQ(strict.is_value(whole + ".0"), size < 309) << size;
    EXPECT_TRUE(strict.is_value("0." + whole)) << size;
    EXPECT_TRUE(strict.is_value(whole)) << size;
  }
}

}  // namespace
}  // namespace airlock
