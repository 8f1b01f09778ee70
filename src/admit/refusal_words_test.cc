// What a refusal says: the whole sentence of each rule, so that no word of it changes unnoticed,
// the line and column of a broken text, and that whatever was refused, no value is part of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "admit/admit.h"
#include "base/utf8.h"
#include "support/example_secrets.h"

namespace airlock {
namespace {

using Type = AdmitErrorType;

std::vector<AdmitError> errors_of(Admitter& admitter, const std::string& text, Form form) {
  auto result = admitter.admit(text, form);
  return result ? std::vector<AdmitError>{} : std::move(result).error().errors;
}

std::vector<AdmitError> errors_of(const std::string& text, Form form = Form::kBare,
                                  AdmitLimits limits = {}) {
  Admitter admitter(limits);
  return errors_of(admitter, text, form);
}

std::string output_with(const std::string& name, const std::string& value) {
  std::string text = "{";
  for (const auto& [field, usual] :
       std::vector<std::pair<std::string, std::string>>{{"schema_slice", "{}"},
                                                        {"raw_artifacts", "[]"},
                                                        {"confidence", "\"high\""},
                                                        {"duration_ms", "1"},
                                                        {"warnings", "[]"},
                                                        {"errors", "[]"}}) {
    if (field == name && value.empty()) continue;
    text += (text.size() > 1 ? ",\"" : "\"") + field + "\":" + (field == name ? value : usual);
  }
  return text + "}";
}

struct Sentence {
  std::string text;
  Type type;
  std::string place;
  std::string message;
};

void expect_said(const Sentence& wanted, Form form, AdmitLimits limits = {}) {
  const auto errors = errors_of(wanted.text, form, limits);
  ASSERT_EQ(errors.size(), 1U) << wanted.text;
  EXPECT_EQ(errors[0].type, wanted.type) << wanted.text;
  EXPECT_EQ(to_string(errors[0].path), wanted.place) << wanted.text;
  EXPECT_EQ(errors[0].message, wanted.message) << wanted.text;
}

TEST(RefusalWords, EachRuleOfABareDocumentHasItsSentence) {
  AdmitLimits limits;
  limits.document_bytes = 60;
  limits.key_bytes = 8;
  limits.string_bytes = 12;
  limits.depth = 3;
  for (const Sentence& one : std::vector<Sentence>{
           {"{\"a\":1}" + std::string(54, ' '), Type::kSize, "(document)",
            "The document is larger than 60 bytes. Write what is large to a file and name that in "
            "raw_artifacts."},
           {R"({"abcdefghi":1})", Type::kSize, "abcdefghi",
            "This key has 9 bytes, at most 8 are allowed. Make it a value."},
           {R"({"a":["1234567890123"]})", Type::kSize, "a[0]",
            "This string has 13 bytes, at most 12 are allowed. Write it to a file and name that in "
            "raw_artifacts."},
           {R"({"a":[[[1]]]})", Type::kDepth, "a[0][0]",
            "This is nested more than 3 levels deep. Flatten it."},
           {R"({"a":{"x":1,"x":2}})", Type::kDuplicateKey, "a.x",
            "'x' is there more than once in this object. Use each key once."},
           {R"({"a":{"token":1}})", Type::kSecretLikelyFieldName, "a.token",
            "'token' looks like the name of a secret. Report facts, not secrets: leave it out, or "
            "name what the fact is about (the rule is for every name that has such a word in it)."},
           {"[1]", Type::kJsonValue, "(document)",
            "The document is a list; a schema slice must be an object."},
           {"-1", Type::kJsonValue, "(document)",
            "The document is a negative integer; a schema slice must be an object."},
           {R"({"a":"\u0000"})", Type::kEncoding, "a",
            "There is a NUL character here. Take it out."},
           {R"({"a":"\ud800"})", Type::kEncoding, "a",
            "There is half a surrogate pair here, which is no character."}})
    expect_said(one, Form::kBare, limits);
}

TEST(RefusalWords, EachRuleOfAProbesOutputHasItsSentence) {
  for (const Sentence& one : std::vector<Sentence>{
           {output_with("schema_slice", "[]"), Type::kJsonValue, "schema_slice",
            "'schema_slice' must be an object; this is a list."},
           {output_with("raw_artifacts", "{}"), Type::kJsonValue, "raw_artifacts",
            "'raw_artifacts' must be a list of strings; this is an object."},
           {output_with("warnings", "[\"a\",1.5]"), Type::kJsonValue, "warnings[1]",
            "'warnings' must be a list of strings; this is a number with a fraction or an "
            "exponent."},
           {output_with("errors", "[null]"), Type::kJsonValue, "errors[0]",
            "'errors' must be a list of strings; this is null."},
           {output_with("duration_ms", "-1"), Type::kJsonValue, "duration_ms",
            "'duration_ms' must be a whole number, 0 or more; this is a negative integer."},
           {output_with("confidence", "\"HIGH\""), Type::kConfidence, "confidence",
            "confidence must be \"high\", \"medium\" or \"low\", spelt exactly so."},
           {output_with("confidence", "true"), Type::kConfidence, "confidence",
            "confidence must be \"high\", \"medium\" or \"low\", spelt exactly so; this is a "
            "boolean."},
           {output_with("duration_ms", ""), Type::kMissingField, "duration_ms",
            "The field 'duration_ms' is missing. It must be a whole number, 0 or more."},
           {output_with("errors", "[],\"warning\":[]"), Type::kUnknownField, "warning",
            "'warning' is no field of a probe's output. Did you mean 'warnings'?"},
           {output_with("errors", "[],\"files\":[]"), Type::kUnknownField, "files",
            "'files' is no field of a probe's output. Put it into schema_slice."}})
    expect_said(one, Form::kProbeOutput);
}

TEST(RefusalWords, ABrokenTextIsToldWithLineAndColumn) {
  for (const auto& [text, where] : std::vector<std::pair<std::string, std::string>>{
           {"{", "(line 1, column 2)"},
           {"{\"a\":1", "(line 1, column 7)"},
           {"{\n\"a\":1,\n}", "(line 3, column 1)"},
           {"{\n\n  'a':1}", "(line 3, column 3)"},
           {"{\"a\":\n  @}", "(line 2, column 3)"},
           {"{\"a\":1}\n\nx", "(line 3, column 1)"},
           {"{\"\xC3\xA9\":@}", "(line 1, column 7)"},
           {"{\r\n\"a\":1 2}", "(line 2, column 7)"}}) {
    const auto errors = errors_of(text);
    ASSERT_FALSE(errors.empty()) << text;
    EXPECT_TRUE(errors.back().message.ends_with(where)) << text << ": " << errors.back().message;
  }
}

TEST(RefusalWords, TypesAreSpeltAsTheContractHasThem) {
  for (const auto& [type, name] : std::vector<std::pair<Type, std::string>>{
           {Type::kSecretLikelyFieldName, "SecretLikelyFieldNameError"},
           {Type::kJsonValue, "JSONValueError"},
           {Type::kDepth, "DepthError"},
           {Type::kEncoding, "EncodingError"}})
    EXPECT_EQ(to_string(type), name);
}

// ---- keys in messages and places

TEST(RefusalWords, AKeyIsShownUpToSixtyFourBytes) {
  for (const std::size_t size : {1U, 59U, 60U, 500U}) {
    const std::string key = std::string(size, 'k') + "token";
    const std::string cut = key.size() <= 64 ? key : key.substr(0, 64) + "…";
    const auto errors = errors_of("{\"" + key + "\":1}");
    ASSERT_FALSE(errors.empty());
    EXPECT_EQ(to_string(errors[0].path), cut) << size;
    EXPECT_TRUE(errors[0].message.starts_with("'" + cut + "' looks like")) << errors[0].message;
  }
}

TEST(RefusalWords, AKeyIsCutBetweenCharacters) {
  for (std::size_t size = 55; size < 70; ++size) {
    const std::string key = "token" + std::string(size - 5, 'k') + "\xF0\x9F\x98\x80\xC3\xA9";
    for (const AdmitError& error : errors_of("{\"" + key + "\":1}")) {
      EXPECT_FALSE(find_invalid_utf8(error.message)) << size;
      EXPECT_FALSE(find_invalid_utf8(to_string(error.path))) << size;
    }
  }
}

TEST(RefusalWords, AKeyThatIsAnAttackOnATerminalIsShownHarmless) {
  for (const char* key : {"token\\u001b[2J", "\\u202etoken", "token\\r\\nfake line", "token\\u0007",
                          "\\u009b31mtoken", "token\\u2028x", "to\\u200bken"}) {
    for (const AdmitError& error : errors_of(std::string("{\"a\":[{\"") + key + "\":1}]}")) {
      for (const std::string& text : {error.message, to_string(error.path)}) {
        for (const char c : text) EXPECT_GE(static_cast<unsigned char>(c), 0x20) << key;
        for (const char* hidden : {"\xE2\x80\xAE", "\xC2\x9B", "\xE2\x80\xA8", "\xE2\x80\x8B"})
          EXPECT_EQ(text.find(hidden), std::string::npos) << key;
      }
    }
  }
}

TEST(RefusalWords, AKeyThatHoldsASecretOrAFolderIsScrubbedWhereverItIsShown) {
  const std::string secret = make_example("ghp_{A36}", 9);
  const std::string part = secret.substr(6, 20);
  for (const std::string& text : std::vector<std::string>{
           "{\"" + secret + "\":{\"token\":1}}", "{\"" + secret + "\":NaN}",
           "{\"" + secret + "\":1,\"" + secret + "\":2}", "{\"" + secret + "token\":1}",
           "{\"/home/c4n4ry/x\":{\"token\":1}}", "{\"a\":{\"/home/c4n4ry/token\":[}}",
           "{\"C:\\\\Users\\\\c4n4ry\\\\x\":NaN}"}) {
    for (const Form form : {Form::kBare, Form::kProbeOutput}) {
      const auto errors = errors_of(text, form);
      ASSERT_FALSE(errors.empty()) << text;
      for (const AdmitError& error : errors) {
        for (const std::string& shown : {error.message, to_string(error.path)}) {
          EXPECT_EQ(shown.find(part), std::string::npos) << shown;
          EXPECT_EQ(shown.find("c4n4ry"), std::string::npos) << shown;
        }
      }
    }
  }
}

// ---- no value, whatever is wrong with it and wherever it stands

TEST(RefusalWords, NoValueIsEverRepeated) {
  const std::string canary = "c4n4ry";
  const std::vector<std::string> values = {"\"" + canary + "\"",
                                           canary,
                                           "'" + canary + "'",
                                           "b'" + canary + "'",
                                           "\"" + canary,
                                           "\"" + canary + "\\x\"",
                                           "\"" + canary + "\xFF\"",
                                           "\"" + canary + "\\ud800\"",
                                           "\"" + canary + "\\u0000\"",
                                           "\"" + canary + "\x01\"",
                                           "<" + canary + ">",
                                           "(" + canary + ",)",
                                           canary + "(1)",
                                           "0x" + canary,
                                           "//" + canary + "\n1",
                                           "/*" + canary + "*/1",
                                           "#" + canary + "\n1",
                                           "[\"" + canary + "\"",
                                           "-" + canary,
                                           "\"" + canary + "\" \"" + canary + "\""};
  AdmitLimits small;
  small.string_bytes = 3;
  small.depth = 2;
  Admitter usual;
  Admitter strict(small);
  for (const std::string& value : values) {
    for (const std::string& text :
         {value, "{\"a\":" + value + "}", "{\"a\":[1," + value + "]}", "{" + value + ":1}",
          "{\"token\":" + value + "}", "{\"a\":{\"b\":{\"c\":" + value + "}}}", "{}" + value,
          "{\"a\":1," + value + "}", output_with("confidence", value),
          output_with("warnings", "[" + value + "]"), output_with("duration_ms", value),
          output_with("schema_slice", value)}) {
      // In the place of a key it may be named; then it is no value.
      const bool is_key = text == "{" + value + ":1}" || text == "{\"a\":1," + value + "}";
      if (is_key && value.starts_with('"')) continue;
      for (const Form form : {Form::kBare, Form::kProbeOutput}) {
        for (Admitter* admitter : {&usual, &strict}) {
          for (const AdmitError& error : errors_of(*admitter, text, form)) {
            EXPECT_EQ(error.message.find(canary), std::string::npos) << text << error.message;
            EXPECT_EQ(to_string(error.path).find(canary), std::string::npos) << text;
          }
        }
      }
    }
  }
}

// ---- many at once

TEST(RefusalWords, TheListEndsAtItsLimitAndTheRestIsCounted) {
  for (const std::size_t wrong : {1U, 99U, 100U, 101U, 1000U}) {
    std::string text = "{\"a\":[0";
    for (std::size_t i = 0; i < wrong; ++i) text += ",NaN";
    auto refused = Admitter().admit(text + "]}", Form::kBare);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().errors.size(), std::min<std::size_t>(wrong, 100)) << wrong;
    EXPECT_EQ(refused.error().errors.size() + refused.error().more, wrong);
  }
}

TEST(RefusalWords, MistakesOfEveryKindComeInTheOrderOfTheText) {
  const auto errors = errors_of(
      R"({"a":NaN,"token":1e999,"b":[True,{"c":"\ud800","c":1,"password":None}],"d":"\x"})");
  std::vector<std::string> places;
  for (const AdmitError& error : errors) places.push_back(to_string(error.path));
  EXPECT_EQ(places, (std::vector<std::string>{"a", "token", "token", "b[0]", "b[1].c", "b[1].c",
                                              "b[1].password", "b[1].password", "d"}));
}

}  // namespace
}  // namespace airlock
