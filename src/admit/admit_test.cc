// The inner door for documents: what passes, what is refused with which type and place, the exact
// limits, and that the fast and the careful reader agree on every text.
#include "admit/admit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "support/example_secrets.h"

namespace airlock {
namespace {

using Type = AdmitErrorType;

std::string output(const std::string& slice) {
  return R"({"schema_slice":)" + slice +
         R"(,"raw_artifacts":[],"confidence":"high","duration_ms":1,"warnings":[],"errors":[]})";
}

NotAdmitted refusal_of(const std::string& text, Form form = Form::kBare, AdmitLimits limits = {}) {
  auto result = Admitter(limits).admit(text, form);
  return result ? NotAdmitted{} : std::move(result).error();
}

std::vector<Type> types_of(const std::string& text, Form form = Form::kBare,
                           AdmitLimits limits = {}) {
  std::vector<Type> types;
  for (const AdmitError& error : refusal_of(text, form, limits).errors) types.push_back(error.type);
  return types;
}

// The places of all errors, each as text.
std::vector<std::string> places_of(const std::string& text, Form form = Form::kBare) {
  std::vector<std::string> places;
  for (const AdmitError& error : refusal_of(text, form).errors)
    places.push_back(to_string(error.path));
  return places;
}

using Types = std::vector<Type>;
using UserDirs = std::vector<std::string>;

TEST(Admit, JsonValuesOfEveryKindPass) {
  const auto admitted = Admitter().admit(
      output(
          R"({"a":1,"b":-2,"c":1.5,"d":"x","e":null,"f":[true,false],"g":{},"h":[],"i":18446744073709551615})"),
      Form::kProbeOutput);
  ASSERT_TRUE(admitted);
  EXPECT_EQ(admitted->form(), Form::kProbeOutput);
  const auto slice = admitted->document().member("schema_slice");
  ASSERT_TRUE(slice);
  EXPECT_EQ(slice->member("a")->integer(), 1);
  EXPECT_EQ(slice->member("d")->text(), "x");
  EXPECT_FALSE(slice->member("z"));
  std::size_t items = 0;
  slice->member("f")->for_each_item([&](JsonView) { ++items; });
  EXPECT_EQ(items, 2U);
}

TEST(Admit, EveryErrorIsReportedWithItsPlaceInOrder) {
  const std::string text =
      R"({"a":[[{"password":1}],{"x":2,"x":3}],"confidence":"very","extra":{"api_key":1},"duration_ms":1.0})";
  EXPECT_EQ(
      types_of(text, Form::kProbeOutput),
      (Types{Type::kUnknownField, Type::kSecretLikelyFieldName, Type::kDuplicateKey,
             Type::kConfidence, Type::kUnknownField, Type::kSecretLikelyFieldName, Type::kJsonValue,
             Type::kMissingField, Type::kMissingField, Type::kMissingField, Type::kMissingField}));
  EXPECT_EQ(places_of(text, Form::kProbeOutput),
            (UserDirs{"a", "a[0][0].password", "a[1].x", "confidence", "extra", "extra.api_key",
                      "duration_ms", "schema_slice", "raw_artifacts", "warnings", "errors"}));
}

TEST(Admit, TheFieldsHaveExactTypes) {
  const auto with = [](const std::string& name, const std::string& value) {
    std::string text = output("{}");
    const std::size_t at = text.find("\"" + name + "\":") + name.size() + 3;
    const std::size_t end =
        text.find_first_of(",}", text[at] == '{' || text[at] == '[' ? at + 2 : at);
    return text.substr(0, at) + value + text.substr(end);
  };
  for (const char* value : {"null", "[]", "1", "\"x\"", "true"})
    EXPECT_EQ(types_of(with("schema_slice", value), Form::kProbeOutput), Types{Type::kJsonValue})
        << value;
  for (const char* value : {"null", "{}", "1", "[1]", "[[\"x\"]]", "[null]"})
    EXPECT_EQ(types_of(with("warnings", value), Form::kProbeOutput), Types{Type::kJsonValue})
        << value;
  for (const char* value : {"null", "-1", "1.0", "true", "\"1\"", "[]"})
    EXPECT_EQ(types_of(with("duration_ms", value), Form::kProbeOutput), Types{Type::kJsonValue})
        << value;
  for (const char* value :
       {"null", "1", "\"High\"", "\"high \"", "\"\"", "[\"high\"]", "{\"high\":1}", "\"unknown\""})
    EXPECT_EQ(types_of(with("confidence", value), Form::kProbeOutput), Types{Type::kConfidence})
        << value;
  for (const char* value : {"\"high\"", "\"medium\"", "\"low\"", "\"\\u0068igh\""})
    EXPECT_TRUE(types_of(with("confidence", value), Form::kProbeOutput).empty()) << value;
  EXPECT_TRUE(types_of(with("warnings", "[\"a\",\"b\"]"), Form::kProbeOutput).empty());
}

TEST(Admit, ABareDocumentIsAnObject) {
  EXPECT_TRUE(types_of("{}").empty());
  EXPECT_TRUE(types_of(" \n{\"extra\": 1}\t").empty());
  for (const char* text : {"[]", "1", "\"x\"", "null", "true", "1.5"})
    EXPECT_EQ(types_of(text), Types{Type::kJsonValue}) << text;
}

TEST(Admit, WhatIsNoJsonValueIsNamedAndPlaced) {
  for (const char* value : {"NaN",
                            "Infinity",
                            "-Infinity",
                            "nan",
                            "None",
                            "True",
                            "undefined",
                            "b'x'",
                            "b\"x\"",
                            "(1,2)",
                            "<function f at 0x7f>",
                            "Decimal('1')",
                            "{1, 2}",
                            "{\"x\"}",
                            "'x'",
                            "01",
                            ".5",
                            "1.",
                            "+1",
                            "0x10",
                            "1e",
                            "--1",
                            "1_000",
                            "tru",
                            "1e400",
                            "-1e999",
                            "18446744073709551616",
                            "-9223372036854775809",
                            "\"a\tb\"",
                            "\"\\x\"",
                            "\"\\u12\"",
                            "",
                            "@"}) {
    const std::string text = std::string("{\"a\":[0,") + value + "]}";
    const NotAdmitted refusal = refusal_of(text);
    ASSERT_FALSE(refusal.errors.empty()) << value;
    EXPECT_EQ(refusal.errors[0].type, Type::kJsonValue) << value;
    EXPECT_EQ(to_string(refusal.errors[0].path).substr(0, 1), "a") << value;
  }
  for (const char* text : {"", "   ", "{", "{\"a\"", "{\"a\":1", "{\"a\":1,}", "{\"a\":1}}",
                           "{\"a\":1} x", "{\"a\":1}{}", "// x\n{}", "{/* x */}",
                           "{\"a\":1 \"b\":2}", "[1,]", "{1:2}", "{null:1}", "{a:1}", "\"x"}) {
    const auto types = types_of(text);
    ASSERT_FALSE(types.empty()) << text;
    EXPECT_EQ(types.back(), Type::kJsonValue) << text;
  }
}

TEST(Admit, ReadingGoesOnAfterABadValue) {
  EXPECT_EQ(places_of(R"({"a":NaN,"b":[1e999,Infinity],"token":None})"),
            (UserDirs{"a", "b[0]", "b[1]", "token", "token"}));
}

TEST(Admit, EncodingsThatAreNoTextAreRefused) {
  for (const std::string& text : std::vector<std::string>{
           "{\"a\":\"\xC0\xAF\"}", "{\"a\":\"\xED\xA0\x80\"}", "{\"a\":\"\xF4\x90\x80\x80\"}",
           "{\"a\":\"\xFF\"}", "{\"\xE2\x82\":1}", "{\"a\":\"\\ud800\"}", "{\"a\":\"\\udc00\"}",
           "{\"a\":\"\\ud800\\ud800\"}", "{\"a\":\"\\ud83dx\"}", "{\"\\udfff\":1}",
           "{\"a\":\"\\u0000\"}", "{\"a\\u0000\":1}", std::string("{\"a\":\"x\0\"}", 11),
           std::string("{\"a\":1}\0", 8), "\xEF\xBB\xBF{}", "\xFF\xFE{\0}", "{\"a\":1\xFF}",
           "\xFF"}) {
    const auto types = types_of(text);
    ASSERT_FALSE(types.empty()) << text;
    EXPECT_EQ(types[0], Type::kEncoding) << text;
  }
  EXPECT_TRUE(types_of("{\"a\":\"\\ud83d\\ude00 \xF0\x9F\x98\x80 \\\\u0000 \\\\ud800\"}").empty());
}

TEST(Admit, KeysAreTheSameHoweverTheyAreWritten) {
  EXPECT_EQ(types_of(R"({"a":1,"\u0061":2})"), Types{Type::kDuplicateKey});
  EXPECT_EQ(types_of(R"({"a":{"":1,"":2},"b":{"x":1}})"), Types{Type::kDuplicateKey});
  EXPECT_EQ(types_of(R"({"a":1,"a":2,"a":3})"), (Types{Type::kDuplicateKey, Type::kDuplicateKey}));
  EXPECT_TRUE(types_of(R"({"a":{"a":{"a":1}},"A":[{"a":1},{"a":1}]})").empty());
}

TEST(Admit, TwinsAreFoundAmongManyKeys) {
  for (const std::size_t count : {12U, 13U, 100U, 5000U}) {
    std::string text = "{";
    for (std::size_t i = 0; i < count; ++i) text += "\"n" + std::to_string(i) + "\":1,";
    EXPECT_TRUE(types_of(text + "\"z\":1}").empty()) << count;
    EXPECT_EQ(places_of(text + "\"n7\":1}"), UserDirs{"n7"}) << count;
  }
}

TEST(Admit, DepthIsLimitedExactly) {
  const auto nested = [](std::size_t levels) {
    std::string text = "{\"a\":";
    for (std::size_t i = 1; i < levels; ++i) text += '[';
    for (std::size_t i = 1; i < levels; ++i) text += ']';
    return text + "}";
  };
  AdmitLimits limits;
  limits.depth = 20;
  EXPECT_TRUE(types_of(nested(20), Form::kBare, limits).empty());
  EXPECT_EQ(types_of(nested(21), Form::kBare, limits), Types{Type::kDepth});
  EXPECT_EQ(types_of(nested(2000000), Form::kBare, limits), Types{Type::kDepth});
  // What follows the deep part is judged as well.
  std::string deep = nested(500);
  deep.replace(deep.size() - 1, 1, ",\"token\":[\"]\\\"]\"]}");
  EXPECT_EQ(types_of(deep), (Types{Type::kDepth, Type::kSecretLikelyFieldName}));
}

TEST(Admit, UnendingDepthIsRefused) {
  for (const char* piece : {"[", "{\"a\":", "[{\"a\":"}) {
    std::string text;
    for (int i = 0; i < 300000; ++i) text += piece;
    const auto types = types_of(text);
    ASSERT_FALSE(types.empty());
    EXPECT_TRUE(std::ranges::count(types, Type::kDepth) == 1) << piece;
  }
}

TEST(Admit, SizesAreLimited) {
  AdmitLimits limits;
  limits.document_bytes = 100;
  limits.string_bytes = 20;
  limits.key_bytes = 10;
  EXPECT_TRUE(types_of(R"({"a234567890":"12345678901234567890"})", Form::kBare, limits).empty());
  EXPECT_EQ(types_of(R"({"a2345678901":1})", Form::kBare, limits), Types{Type::kSize});
  EXPECT_EQ(types_of(R"({"a":"123456789012345678901"})", Form::kBare, limits), Types{Type::kSize});
  EXPECT_EQ(types_of("{}" + std::string(98, ' '), Form::kBare, limits), Types{});
  EXPECT_EQ(types_of("{}" + std::string(99, ' '), Form::kBare, limits), Types{Type::kSize});
}

TEST(Admit, ErrorsBeyondTheLimitAreCounted) {
  std::string text = "{\"a\":[";
  for (int i = 0; i < 250; ++i) text += "{\"token\":1},";
  text += "1]}";
  const NotAdmitted refusal = refusal_of(text);
  EXPECT_EQ(refusal.errors.size(), 100U);
  EXPECT_EQ(refusal.more, 150U);
}

TEST(Admit, MessagesNeverRepeatAValue) {
  const std::string canary = "c4n4ry-v4lue";
  for (const std::string& text : std::vector<std::string>{
           "{\"token\":\"" + canary + "\"}", "{\"a\":\"" + canary + "\",\"a\":\"" + canary + "\"}",
           "{\"a\":" + canary + "}", "{\"a\":'" + canary + "'}", "{\"a\":b'" + canary + "'}",
           "{\"a\":\"" + canary + "\xFF\"}", "{\"a\":\"" + canary + "\\ud800\"}",
           "[\"" + canary + "\"]", "\"" + canary + "\"", canary, "{\"a\":1}" + canary,
           "{\"a\":\"" + canary}) {
    for (const Form form : {Form::kBare, Form::kProbeOutput}) {
      for (const AdmitError& error : refusal_of(text, form).errors) {
        EXPECT_EQ(error.message.find("c4n4ry"), std::string::npos) << text << ": " << error.message;
        EXPECT_EQ(to_string(error.path).find("c4n4ry"), std::string::npos) << text;
      }
    }
  }
  const NotAdmitted refusal =
      refusal_of(output("{}").replace(output("{}").find("high"), 4, canary), Form::kProbeOutput);
  ASSERT_EQ(refusal.errors.size(), 1U);
  EXPECT_EQ(refusal.errors[0].message.find("c4n4ry"), std::string::npos);
}

TEST(Admit, KeysInMessagesArePrintableCutAndScrubbed) {
  const std::string esc = "{\"token\\u001b[31m\\u202e" + std::string(300, 'x') + "\":1}";
  const AdmitError error = refusal_of(esc).errors.at(0);
  EXPECT_LT(error.message.size(), 400U);
  EXPECT_EQ(error.message.find('\x1b'), std::string::npos);
  EXPECT_NE(error.message.find("token\\x1b[31m<U+202E>"), std::string::npos) << error.message;
  const std::string planted = make_example("ghp_{A36}", 4);
  const AdmitError other = refusal_of("{\"/home/ann/" + planted + "_token\":1}").errors.at(0);
  EXPECT_EQ((other.message + to_string(other.path)).find(planted.substr(8, 20)), std::string::npos);
  EXPECT_EQ((other.message + to_string(other.path)).find("ann"), std::string::npos);
}

TEST(Admit, OneAdmitterServesManyDocuments) {
  Admitter admitter;
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(admitter.admit("{\"a\":\"" + std::string(10000U >> i, 'x') + "\"}", Form::kBare));
    EXPECT_FALSE(admitter.admit("{\"token\":1}", Form::kBare));
    EXPECT_FALSE(admitter.admit("{", Form::kBare));
  }
}

// simdjson and the careful reader are two readings of one grammar: they must agree on every text.
TEST(Admit, BothReadersAgree) {
  const std::vector<std::string> pieces = {
      "{", "}",  "[",     "]",    ",",    ":",        "\"a\"",   "\"\"",
      "1", "-0", "1.5e3", "true", "null", " ",        "\"\\n\"", "\"\\ud800\"",
      "0", "e",  "-",     "\\",   "\"",   "\xC3\xA9", "NaN",     "1e999"};
  std::mt19937 draw(9);
  for (int i = 0; i < 30000; ++i) {
    std::string text = "{\"k\":";
    for (auto n = draw() % 7; n > 0; --n) text += pieces[draw() % pieces.size()];
    text += "}";
    for (const AdmitError& error : refusal_of(text).errors)
      ASSERT_NE(error.message, "The document cannot be read as JSON.") << text;
  }
}

}  // namespace
}  // namespace airlock
