// What the door says about a text that is no JSON: one story a mistake, each with its type, its
// place in the document, words that help, and never a value. The reader is asked through the door,
// which asks it about everything that simdjson refuses.
#include "admit/invalid_json.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "admit/admit.h"

namespace airlock {
namespace {

using Type = AdmitErrorType;

NotAdmitted refusal_of(const std::string& text, AdmitLimits limits = {}) {
  auto result = Admitter(limits).admit(text, Form::kBare);
  return result ? NotAdmitted{} : std::move(result).error();
}

struct Mistake {
  const char* name;
  std::string text;
  Type type;
  std::string place;  // where in the document; empty: nowhere in particular
  std::string says;   // part of the message
};

// The mistake is told, first of all.
void expect_told(const Mistake& mistake) {
  const NotAdmitted refusal = refusal_of(mistake.text);
  ASSERT_FALSE(refusal.errors.empty()) << mistake.name;
  const AdmitError& first = refusal.errors[0];
  EXPECT_EQ(first.type, mistake.type) << mistake.name << ": " << first.message;
  EXPECT_EQ(to_string(first.path), mistake.place.empty() ? "(document)" : mistake.place)
      << mistake.name << ": " << first.message;
  EXPECT_NE(first.message.find(mistake.says), std::string::npos)
      << mistake.name << ": " << first.message;
}

// ---- values of other languages

TEST(CarefulReader, WordsOfOtherLanguagesAreNamed) {
  for (const char* word :
       {"NaN", "Infinity", "-Infinity", "nan", "None", "True", "False", "undefined"}) {
    expect_told({word, std::string("{\"a\": ") + word + "}", Type::kJsonValue, "a", ""});
    expect_told({word, std::string("{\"a\": [1, ") + word + "]}", Type::kJsonValue, "a[1]", ""});
  }
}

TEST(CarefulReader, ReadingGoesOnBehindAWordOfAnotherLanguage) {
  const NotAdmitted refusal = refusal_of(R"({"a": None, "b": [True, {"c": NaN}], "d": undefined})");
  std::vector<std::string> places;
  for (const AdmitError& error : refusal.errors) places.push_back(to_string(error.path));
  EXPECT_EQ(places, (std::vector<std::string>{"a", "b[0]", "b[1].c", "d"}));
}

TEST(CarefulReader, WhatPythonPrintsOfItsObjectsIsNamed) {
  expect_told({"bytes", R"({"a": b'x'})", Type::kJsonValue, "a", "Bytes are not a JSON value"});
  expect_told({"bytes", R"({"a": b"x"})", Type::kJsonValue, "a", "Bytes are not a JSON value"});
  expect_told({"tuple", R"({"a": (1, 2)})", Type::kJsonValue, "a", "A tuple is not a JSON value"});
  expect_told({"callable", R"({"a": <function f>})", Type::kJsonValue, "a", "callable"});
  expect_told({"repr", R"({"a": Decimal('1')})", Type::kJsonValue, "a", "the repr of an object"});
  expect_told({"set", R"({"a": {"x"}})", Type::kJsonValue, "a.x", "a set is not a JSON value"});
  expect_told({"set of two", R"({"a": {"x", "y"}})", Type::kJsonValue, "a.x", "a set is not"});
}

TEST(CarefulReader, SingleQuotesComeWithTheWayOut) {
  expect_told({"value", R"({"a": 'x'})", Type::kJsonValue, "a", "double quotes only"});
  expect_told({"key", R"({'a': 1})", Type::kJsonValue, "", "double quotes only"});
  EXPECT_NE(refusal_of(R"({'a': 1})").errors[0].message.find("json.dumps"), std::string::npos);
}

TEST(CarefulReader, CommentsAreNamed) {
  for (const char* text : {"// x\n{}", "{/* x */}", "# x\n{}"})
    expect_told({text, text, Type::kJsonValue, "", "no comments"});
  for (const char* text : {"{\"a\": 1 // x\n}", "{\"a\": # x\n1}"})
    expect_told({text, text, Type::kJsonValue, "a", "no comments"});
}

// ---- numbers

TEST(CarefulReader, NumbersThatJsonDoesNotWriteAreNoNumbers) {
  for (const char* number : {"01", "-01", ".5", "1.", "+1", "0x10", "1e", "1e+", "--1", "1_000",
                             "1..2", "1e1e1", "-", "00", "1.e5", "0b1", "1,000.5x"}) {
    const NotAdmitted refusal = refusal_of(std::string("{\"a\": ") + number + "}");
    ASSERT_FALSE(refusal.errors.empty()) << number;
    EXPECT_EQ(refusal.errors[0].type, Type::kJsonValue) << number;
  }
}

TEST(CarefulReader, NumbersThatJsonWritesPass) {
  for (const char* number : {"0", "-0", "1", "-1", "0.5", "1e5", "1E5", "1e+5", "1e-5", "1.5e300",
                             "18446744073709551615", "-9223372036854775808", "1e-400"})
    EXPECT_TRUE(refusal_of(std::string("{\"a\": ") + number + "}").errors.empty()) << number;
}

TEST(CarefulReader, NumbersOutOfRangeAreToldAndReadingGoesOn) {
  for (const char* number : {"18446744073709551616", "-9223372036854775809", "1e309", "-1e309",
                             "1e999999999", "123456789012345678901234567890"}) {
    const NotAdmitted refusal =
        refusal_of(std::string("{\"a\": ") + number + ", \"b\": [" + number + "]}");
    ASSERT_EQ(refusal.errors.size(), 2U) << number;
    EXPECT_NE(refusal.errors[0].message.find("out of range"), std::string::npos);
    EXPECT_EQ(to_string(refusal.errors[1].path), "b[0]");
  }
}

// ---- brackets, commas, keys

TEST(CarefulReader, WhereTheTextBreaksReadingEndsAndTheLineIsTold) {
  expect_told({"comma", "{\"a\": 1,\n \"b\": 2,\n}", Type::kJsonValue, "b",
               "no comma after the last element"});
  EXPECT_NE(refusal_of("{\"a\": 1,\n \"b\": 2,\n}").errors[0].message.find("line 3, column 1"),
            std::string::npos);
  expect_told({"comma in a list", R"({"a": [1, 2,]})", Type::kJsonValue, "a[1]", "no comma after"});
  expect_told({"no comma", R"({"a": 1 "b": 2})", Type::kJsonValue, "a", "something unexpected"});
  expect_told({"no colon", R"({"a" 1})", Type::kJsonValue, "a", "something unexpected"});
  expect_told({"no value", R"({"a": })", Type::kJsonValue, "a", "A value is missing here"});
  expect_told({"no value in a list", R"({"a": [1, , 2]})", Type::kJsonValue, "a[1]", "missing"});
}

TEST(CarefulReader, KeysAreStrings) {
  for (const char* key : {"1", "null", "a", "true", "-1", "1.5"})
    expect_told(
        {key, std::string("{") + key + ": 1}", Type::kJsonValue, "", "A key must be a string"});
}

TEST(CarefulReader, WhatFollowsTheDocumentIsTold) {
  for (const char* more : {" x", "{}", "}", "]", ",", " 1", "null"}) {
    const NotAdmitted refusal = refusal_of(std::string("{\"a\": 1}") + more);
    ASSERT_FALSE(refusal.errors.empty()) << more;
    EXPECT_NE(refusal.errors[0].message.find("after the end of the document"), std::string::npos)
        << more;
  }
  EXPECT_TRUE(refusal_of("{\"a\": 1} \n\t\r ").errors.empty());
}

TEST(CarefulReader, ADocumentThatEndsTooEarlyIsToldWhereverThatIs) {
  const std::string whole = R"({"a": [1, {"b": "text \u0041"}, true, null], "c": -1.5e3})";
  ASSERT_TRUE(refusal_of(whole).errors.empty());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const NotAdmitted refusal = refusal_of(whole.substr(0, size));
    ASSERT_FALSE(refusal.errors.empty()) << size;
    EXPECT_EQ(refusal.errors.back().type, Type::kJsonValue) << size;
  }
}

TEST(CarefulReader, AnEmptyDocumentIsToldToBeEmpty) {
  for (const char* text : {"", " ", "\n\n\t", "\r\n"})
    expect_told({"empty", text, Type::kJsonValue, "", "the document is empty"});
}

TEST(CarefulReader, BracketsThatDoNotMatchAreTold) {
  for (const char* text : {"{\"a\": [1}", "{\"a\": {\"b\": 1]}", "{]", "{\"a\": [}", "}"})
    EXPECT_FALSE(refusal_of(text).errors.empty()) << text;
}

// ---- strings

TEST(CarefulReader, EscapesThatJsonDoesNotKnowAreTold) {
  for (const char* escape :
       {"\\x41", "\\'", "\\0", "\\a", "\\U0041", "\\ ", "\\u12", "\\u12G4", "\\u", "\\u-123"})
    expect_told({escape, std::string("{\"a\": \"") + escape + "\"}", Type::kJsonValue, "a",
                 "an escape here that JSON does not know"});
}

TEST(CarefulReader, EveryEscapeOfJsonPasses) {
  for (const char* escape : {"\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t", "\\u0041",
                             "\\u00e9", "\\u20AC", "\\ud83d\\ude00", "\\uffff"})
    EXPECT_TRUE(refusal_of(std::string("{\"a\": \"") + escape + "\"}").errors.empty()) << escape;
}

TEST(CarefulReader, RawControlCharactersAreTold) {
  for (int c = 1; c < 0x20; ++c) {
    const std::string text = std::string("{\"a\": \"x") + static_cast<char>(c) + "y\"}";
    const NotAdmitted refusal = refusal_of(text);
    ASSERT_FALSE(refusal.errors.empty()) << c;
    EXPECT_NE(refusal.errors[0].message.find("control character"), std::string::npos) << c;
  }
}

TEST(CarefulReader, HalvesOfSurrogatePairsAreNoCharacters) {
  for (const char* half : {"\\ud800", "\\udbff", "\\udc00", "\\udfff", "\\ud800\\ud800",
                           "\\ud83d\\u0041", "\\ud83d x", "\\ude00\\ud83d"})
    expect_told({half, std::string("{\"a\": \"") + half + "\"}", Type::kEncoding, "a",
                 "half a surrogate pair"});
}

TEST(CarefulReader, ANulIsRefusedHoweverItIsWritten) {
  expect_told({"escaped", R"({"a": "x\u0000"})", Type::kEncoding, "a", "NUL"});
  expect_told({"raw", std::string("{\"a\": \"x\0\"}", 12), Type::kEncoding, "a", "NUL"});
  expect_told({"outside", std::string("{\"a\": \0 1}", 10), Type::kEncoding, "a", "NUL"});
  expect_told({"behind", std::string("{\"a\": 1}\0", 9), Type::kEncoding, "", "NUL"});
}

TEST(CarefulReader, BytesThatAreNoUtf8AreTold) {
  for (const char* bytes : {"\xFF", "\xC0\x80", "\xC3", "\xE2\x82", "\xED\xA0\x80", "\xF8\x88",
                            "\xF4\x90\x80\x80", "\x80"})
    expect_told(
        {"bytes", std::string("{\"a\": \"") + bytes + "\"}", Type::kEncoding, "a", "not UTF-8"});
}

TEST(CarefulReader, OtherEncodingsAreNamed) {
  expect_told({"UTF-16", "\xFF\xFE{", Type::kEncoding, "", "UTF-16"});
  expect_told({"UTF-16, other way", "\xFE\xFF{", Type::kEncoding, "", "UTF-16"});
  expect_told({"byte-order mark", "\xEF\xBB\xBF{}", Type::kEncoding, "", "byte-order mark"});
}

TEST(CarefulReader, OneStringWithManyTroublesTellsEachOnce) {
  const NotAdmitted refusal =
      refusal_of("{\"a\": \"\xFF\xFF\\x\\x\\ud800\\ud800\\u0000\x01\x01\"}");
  EXPECT_EQ(refusal.errors.size(), 5U);
}

TEST(CarefulReader, AStringWithoutEndIsTold) {
  for (const char* text : {"{\"a\": \"x", "{\"a", "{\"a\": \"x\\", "{\"a\": \"x\\\"", "\""}) {
    const NotAdmitted refusal = refusal_of(text);
    ASSERT_FALSE(refusal.errors.empty()) << text;
    EXPECT_NE(refusal.errors.back().message.find("does not end"), std::string::npos) << text;
  }
}

// ---- depth

TEST(CarefulReader, WhatIsTooDeepIsSkippedWithItsStringsAndTheRestIsJudged) {
  AdmitLimits limits;
  limits.depth = 3;
  const auto places = [&](const std::string& text) {
    std::vector<std::string> found;
    for (const AdmitError& error : refusal_of(text, limits).errors)
      found.push_back(to_string(error.path));
    return found;
  };
  const auto deep = places(R"({"a": [[[["]]]", "\"]"]]]], "b": NaN})");
  ASSERT_EQ(deep.size(), 2U);
  EXPECT_EQ(deep[1], "b");
}

TEST(CarefulReader, DepthWithoutEndIsOneComplaintAndNoRecursion) {
  const NotAdmitted refusal = refusal_of("{\"a\": NaN, \"b\": " + std::string(2'000'000, '['));
  ASSERT_GE(refusal.errors.size(), 2U);
  EXPECT_LE(refusal.errors.size(), 4U);
}

// ---- names are judged here too

TEST(CarefulReader, NamesOfSecretsAreToldInATextThatCannotBeRead) {
  const NotAdmitted refusal = refusal_of(R"({"api_key": NaN, "x": {"password": None}})");
  std::size_t names = 0;
  for (const AdmitError& error : refusal.errors)
    names += error.type == Type::kSecretLikelyFieldName ? 1 : 0;
  EXPECT_EQ(names, 2U);
}

TEST(CarefulReader, KeysThatComeTwiceAreToldInATextThatCannotBeRead) {
  const NotAdmitted refusal = refusal_of(R"({"a": NaN, "a": 1, "b": 2, "\u0062": 3})");
  std::size_t twins = 0;
  for (const AdmitError& error : refusal.errors) twins += error.type == Type::kDuplicateKey ? 1 : 0;
  EXPECT_EQ(twins, 2U);
}

}  // namespace
}  // namespace airlock
