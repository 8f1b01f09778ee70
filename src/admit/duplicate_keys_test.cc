// A key comes once in an object, however it is spelt, at both doors. Keys are compared each with
// each while they are few, by a table or by sorting when they are many; the border between the two
// is met from both sides, and keys are made to crowd in the table.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "admit/admit.h"
#include "admit/document_judge.h"
#include "admit/strict_json.h"

namespace airlock {
namespace {

// How many complaints about twins there are; each must be about nothing else.
std::size_t twins_in(const std::string& document, AdmitLimits limits = {}) {
  const auto admitted = Admitter(limits).admit(document, Form::kBare);
  if (admitted) return 0;
  for (const AdmitError& error : admitted.error().errors)
    EXPECT_EQ(error.type, AdmitErrorType::kDuplicateKey) << error.message;
  return admitted.error().errors.size() + admitted.error().more;
}

bool is_strict(const std::string& document) {
  return StrictJson(10).is_object(document);
}

// Ways to write one key; each row is another key.
const std::vector<std::vector<std::string>> kSpellings = {
    {"a", "\\u0061"},
    {"/", "\\/", "\\u002f", "\\u002F"},
    {"\\\"", "\\u0022"},
    {"\\\\", "\\u005c", "\\u005C"},
    {"\\n", "\\u000a", "\\u000A"},
    {"\\b", "\\u0008"},
    {"\\t", "\\u0009"},
    {"\xC3\xA9", "\\u00e9", "\\u00E9"},
    {"\xE2\x82\xAC", "\\u20ac", "\\u20AC"},
    {"\xF0\x9F\x98\x80", "\\ud83d\\ude00", "\\uD83D\\uDE00", "\\uD83d\\uDe00"},
    {"ab", "\\u0061b", "a\\u0062", "\\u0061\\u0062"},
    {"\x7F", "\\u007f"},
    {"", ""},
};

TEST(DuplicateKeys, EveryPairOfSpellingsIsOneKey) {
  for (const auto& row : kSpellings) {
    for (const std::string& one : row) {
      for (const std::string& other : row) {
        for (const std::string& between : {std::string(","), ",\"x\":{\"" + one + "\":1},"}) {
          const std::string text = "{\"" + one + "\":1" + between + "\"" + other + "\":2}";
          EXPECT_EQ(twins_in(text), 1U) << text;
          EXPECT_FALSE(is_strict(text)) << text;
        }
      }
    }
  }
}

TEST(DuplicateKeys, KeysOfDifferentRowsAreDifferent) {
  for (const auto& row : kSpellings) {
    for (const auto& other : kSpellings) {
      if (&row == &other) continue;
      for (const std::string& key : row) {
        const std::string text = "{\"" + key + "\":1,\"" + other.back() + "\":2}";
        EXPECT_EQ(twins_in(text), 0U) << text;
        EXPECT_TRUE(is_strict(text)) << text;
      }
    }
  }
}

TEST(DuplicateKeys, WhatOnlyLooksAlikeIsAnother) {
  for (const auto& [one, other] : std::vector<std::pair<std::string, std::string>>{
           {"a", "A"},
           {"a", "a "},
           {"a", "\\u0430"},          // Cyrillic
           {"\xC3\xA9", "e\\u0301"},  // composed and not
           {"\\u006b", "\\u212a"},    // k and the Kelvin sign
           {"ss", "\\u00df"},
           {"a", "\\uff41"},   // full-width
           {"a", "a\\u200b"},  // something invisible behind it
           {"1", "01"},
           {"\\\\n", "\\n"},
           {"\\\\u0061", "a"}}) {
    const std::string text = "{\"" + one + "\":1,\"" + other + "\":2}";
    EXPECT_EQ(twins_in(text), 0U) << text;
    EXPECT_TRUE(is_strict(text)) << text;
  }
}

TEST(DuplicateKeys, AValueIsNoKeyAndAnotherObjectsKeyIsNone) {
  for (const char* text :
       {R"({"a":"a","b":"a"})", R"({"a":{"a":{"a":{"a":"a"}}}})", R"({"x":[{"a":1},{"a":1}]})",
        R"({"x":{"a":1},"a":{"x":1}})", R"({"a":[["a","a"],"a"]})"}) {
    EXPECT_EQ(twins_in(text), 0U) << text;
    EXPECT_TRUE(is_strict(text)) << text;
  }
  for (const char* text :
       {R"({"x":{"a":1},"x":{"b":1}})", R"({"x":[[{"a":[],"b":{},"a":null}]]})",
        R"({"a":{"a":1},"b":{"a":1},"a":2})", R"({"x":[{"a":1},{"a":1,"a":1}]})"}) {
    EXPECT_EQ(twins_in(text), 1U) << text;
    EXPECT_FALSE(is_strict(text)) << text;
  }
}

std::string keys(std::size_t count, const std::string& more = "") {
  std::string text = "{";
  for (std::size_t i = 0; i < count; ++i)
    text += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":0";
  return text + more + "}";
}

TEST(DuplicateKeys, TheBorderBetweenTwoWaysOfLookingHidesNoTwin) {
  for (std::size_t count = 1; count <= 40; ++count) {
    EXPECT_EQ(twins_in(keys(count)), 0U) << count;
    EXPECT_TRUE(is_strict(keys(count))) << count;
    for (const std::size_t which : {std::size_t{0}, count / 2, count - 1}) {
      const std::string twin = ",\"k" + std::to_string(which) + "\":0";
      EXPECT_EQ(twins_in(keys(count, twin)), 1U) << count << " " << which;
      EXPECT_EQ(twins_in(keys(count, twin + twin)), 2U) << count << " " << which;
      EXPECT_FALSE(is_strict(keys(count, twin))) << count << " " << which;
    }
  }
}

TEST(DuplicateKeys, EveryTwinOfAThousandIsFoundAndToldInOrder) {
  std::string twins;
  for (int i = 0; i < 1000; ++i) twins += ",\"k" + std::to_string(i) + "\":0";
  AdmitLimits limits;
  limits.errors = 2000;
  const std::string text = keys(1000, twins);
  EXPECT_EQ(twins_in(text, limits), 1000U);
  EXPECT_EQ(twins_in(text), 1000U) << "beyond the list they are counted";
  const auto refused = Admitter(limits).admit(text, Form::kBare);
  ASSERT_FALSE(refused);
  for (std::size_t i = 0; i < 1000; ++i)
    ASSERT_EQ(to_string(refused.error().errors[i].path), "k" + std::to_string(i));
}

// ---- keys that are made to crowd

// As many keys whose digests end alike: all want one place in a table of that many keys.
std::vector<std::string> crowd_of(std::size_t count) {
  const std::uint64_t places = std::bit_ceil(2 * count) - 1;
  std::vector<std::string> crowd;
  for (std::size_t i = 0; crowd.size() < count; ++i) {
    std::string key = "c" + std::to_string(i);
    if ((digest_of(key) & places) == 5) crowd.push_back(std::move(key));
  }
  return crowd;
}

TEST(DuplicateKeys, KeysThatCrowdInTheTableAreJudgedAllTheSame) {
  for (const std::size_t count : {20U, 64U, 65U, 66U, 200U}) {
    const std::vector<std::string> crowd = crowd_of(count);
    std::string text = "{";
    for (const std::string& key : crowd) text += "\"" + key + "\":0,";
    EXPECT_EQ(twins_in(text + "\"z\":0}"), 0U) << count;
    EXPECT_TRUE(is_strict(text + "\"z\":0}")) << count;
    for (const std::size_t which : {std::size_t{0}, count / 2, count - 1}) {
      EXPECT_EQ(twins_in(text + "\"" + crowd[which] + "\":0}"), 1U) << count << " " << which;
      EXPECT_FALSE(is_strict(text + "\"" + crowd[which] + "\":0}")) << count << " " << which;
    }
  }
}

// ---- through the reader of broken text

TEST(DuplicateKeys, ATextThatIsBrokenElsewhereHasItsTwinsToo) {
  for (const auto& row : kSpellings) {
    const std::string text = "{\"" + row.front() + "\":NaN,\"" + row.back() + "\":1}";
    const auto refused = Admitter().admit(text, Form::kBare);
    ASSERT_FALSE(refused) << text;
    EXPECT_TRUE(std::ranges::any_of(refused.error().errors, [](const AdmitError& error) {
      return error.type == AdmitErrorType::kDuplicateKey;
    })) << text;
  }
}

TEST(DuplicateKeys, TheFieldsOfAProbeComeOnceToo) {
  const std::string whole =
      R"({"schema_slice":{},"raw_artifacts":[],"confidence":"high","duration_ms":1,"warnings":[],"errors":[])";
  for (const char* twin :
       {"\"schema_slice\":{}", "\"raw_artifacts\":[]", "\"confidence\":\"low\"",
        "\"duration_ms\":2", "\"\\u0077arnings\":[]", "\"error\\u0073\":[\"x\"]"}) {
    const auto refused = Admitter().admit(whole + "," + twin + "}", Form::kProbeOutput);
    ASSERT_FALSE(refused) << twin;
    ASSERT_EQ(refused.error().errors.size(), 1U) << twin;
    EXPECT_EQ(refused.error().errors[0].type, AdmitErrorType::kDuplicateKey) << twin;
  }
}

}  // namespace
}  // namespace airlock
