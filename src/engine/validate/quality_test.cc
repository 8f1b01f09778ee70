#include "engine/validate/quality.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/validate/rerun_samples.h"

namespace airlock {
namespace {

SampleResult passed(std::string path, std::string result) {
  SampleResult sample;
  sample.path = std::move(path);
  sample.success = true;
  sample.result = std::move(result);
  return sample;
}

using Texts = std::vector<std::string>;

Texts warnings_for(std::vector<SampleResult> results) {
  return quality_warnings(results);
}

bool mentions(const Texts& warnings, std::string_view words) {
  return std::ranges::any_of(
      warnings, [&](const std::string& one) { return one.find(words) != std::string::npos; });
}

TEST(Quality, NothingToSayAboutOrdinaryResults) {
  EXPECT_EQ(warnings_for({passed("/a", R"({"client":"ABC","year":2024,"ok":null})"),
                          passed("/b", R"({"client":"XYZ","year":2023,"ok":true})")}),
            Texts{});
}

TEST(Quality, AllFailedAndAllEmptyHaveTheirOwnWords) {
  SampleResult failed;
  failed.path = "/a";
  EXPECT_EQ(warnings_for({failed}), Texts{"All extractions failed"});
  EXPECT_EQ(warnings_for({passed("/a", "{}"), passed("/b", "{}")}),
            Texts{"All successful extractions returned empty dict"});
  EXPECT_EQ(warnings_for({passed("/a", "{}"), passed("/b", R"({"x":1})")}),
            Texts{"1 path returned empty dict (may be expected)"});
}

TEST(Quality, ANameThatIsNoIdentifierIsSaidOnce) {
  EXPECT_EQ(warnings_for(
                {passed("/a", R"({"a b":1,"größe":2})"), passed("/b", R"({"a b":1,"größe":2})")}),
            Texts{"Field name 'a b' is not a valid Python identifier"});
}

TEST(Quality, AHostileNameStaysOnItsLine) {
  const Texts warnings = warnings_for({passed("/a", R"({"a\u001b[31m\u200b":1})")});
  for (const std::string& one : warnings) {
    EXPECT_EQ(one.find('\x1b'), std::string::npos);
    EXPECT_EQ(one.find('\n'), std::string::npos);
  }
  EXPECT_TRUE(mentions(warnings, "invisible or control character (U+001B)"));
}

TEST(Quality, TypesThatDifferNameBothSamples) {
  EXPECT_EQ(
      warnings_for({passed("/a", R"({"year":2024})"), passed("/b", R"({"year":"2024"})")}),
      Texts{"Field 'year' has different types in different samples: int ('/a') and str ('/b')"});
}

TEST(Quality, AMissingFieldNamesASampleWithoutIt) {
  EXPECT_EQ(warnings_for({passed("/a", R"({"x":1,"y":1})"), passed("/b", R"({"x":1})")}),
            Texts{"Field 'y' is missing in 1 of 2 results, for example in that of '/b'"});
}

TEST(Quality, IntegersBeyondDoublesAreSeenByTheirDigits) {
  EXPECT_EQ(warnings_for({passed("/a", R"({"n":9007199254740992,"f":1e300})")}), Texts{});
  EXPECT_TRUE(mentions(warnings_for({passed("/a", R"({"n":9007199254740993})")}), "beyond 2^53"));
  EXPECT_TRUE(mentions(warnings_for({passed("/a", R"({"n":[-123456789012345678901234567890]})")}),
                       "'-123456789012345678901234567890'"));
}

TEST(Quality, AddressesHiddenCharactersAndNamesWithAMeaningAreNamed) {
  const Texts warnings = warnings_for(
      {passed("/a", R"({"o":"<object object at 0x7f2465cc4710>","z":"a\u200bb","__proto__":1})")});
  EXPECT_TRUE(mentions(warnings, "Field 'o' shows a memory address"));
  EXPECT_TRUE(mentions(warnings, "Field 'z' holds an invisible or control character (U+200B)"));
  EXPECT_TRUE(mentions(warnings, "Field name '__proto__' has a meaning"));
}

TEST(Quality, AThousandOddNamesAreNotAThousandWarnings) {
  std::string result = "{";
  for (int i = 0; i < 1000; ++i) result += (i > 0 ? ",\"" : "\"") + std::to_string(i) + " x\":1";
  const Texts warnings = warnings_for({passed("/a", result + "}")});
  EXPECT_LE(warnings.size(), 6U);
  EXPECT_EQ(warnings.back(), "995 more like these are not shown");
}

TEST(Quality, TheFirstFilledResultThatLacksAFieldIsNamed) {
  const auto lacks = [](std::vector<std::string> results) {
    std::vector<SampleResult> samples;
    for (std::size_t i = 0; i < results.size(); ++i)
      samples.push_back(passed("/" + std::to_string(i), std::move(results[i])));
    return warnings_for(std::move(samples));
  };
  const std::string has = R"({"x":1,"y":1})";
  const std::string none = R"({"x":1})";
  const auto words = [](const char* path, int missing, int of) {
    return "Field 'y' is missing in " + std::to_string(missing) + " of " + std::to_string(of) +
           " results, for example in that of '" + path + "'";
  };
  EXPECT_EQ(lacks({has, has, none, has, none}), Texts{words("/2", 2, 5)});
  EXPECT_EQ(lacks({none, has, none}), Texts{words("/0", 2, 3)});
  EXPECT_EQ(lacks({has, "{}", none}),
            (Texts{"1 path returned empty dict (may be expected)", words("/2", 1, 2)}))
      << "one that is empty lacks nothing in particular";
}

// A megabyte of keys, which differ in the second result: quadratic work would take minutes.
TEST(Quality, ResultsOfFiftyThousandFieldsAreJudgedInGoodTime) {
  const auto fields = [](const std::string& prefix) {
    std::string text = "{\"same\":1";
    for (int i = 0; i < 50'000; ++i) text += ",\"" + prefix + std::to_string(i) + "\":1";
    return text + "}";
  };
  const std::string one = fields("a");
  const std::string other = fields("b");
  const Texts warnings = warnings_for({passed("/a", one), passed("/b", other)});
  EXPECT_EQ(warnings.back(), "99995 more like these are not shown");
  const Texts names = differing_fields(one, other);
  ASSERT_EQ(names.size(), 100'000U);
  EXPECT_EQ(names.front(), "a0");
  EXPECT_EQ(names.back(), "b49999");
}

TEST(Quality, FieldsThatDifferComeInTheOrderOfTheFirstThenOfTheSecond) {
  EXPECT_EQ(differing_fields(R"({"c":1,"b":2,"a":3})", R"({"z":1,"a":4,"b":2,"y":1})"),
            (Texts{"c", "a", "z", "y"}));
  EXPECT_EQ(differing_fields(R"({"a":1,"b":2})", R"({"b":2,"a":1})"), Texts{});
  EXPECT_EQ(differing_fields("[]", "{}"), Texts{});
  EXPECT_EQ(differing_fields("no JSON", R"({"a":1})"), Texts{});
}

TEST(RerunReport, TheSameAnswerThreeTimesIsNotWorthAWord) {
  const SampleResult one = passed("/a", R"({"n":1})");
  EXPECT_EQ(compare_answers({one, one, one}).warnings, Texts{});
}

TEST(RerunReport, StateIsToldFromChance) {
  const SampleResult first = passed("/a", R"({"n":1,"x":1})");
  const SampleResult other = passed("/a", R"({"n":2,"x":1})");
  const Texts state = compare_answers({first, other, first}).warnings;
  ASSERT_EQ(state.size(), 1U);
  EXPECT_TRUE(state[0].starts_with("Field 'n' differed")) << state[0];
  EXPECT_TRUE(mentions(state, "keeps state between calls"));
  EXPECT_TRUE(mentions(compare_answers({first, other, other}).warnings, "depends on the clock"));
}

TEST(RerunReport, HashOrderHasItsOwnWords) {
  const SampleResult first = passed("/a", R"({"n":["a","b"]})");
  const SampleResult turned = passed("/a", R"({"n":["b","a"]})");
  EXPECT_EQ(compare_orders(first, first, {}).warnings, Texts{});
  const Texts order = compare_orders(first, turned, {}).warnings;
  ASSERT_EQ(order.size(), 1U);
  EXPECT_TRUE(mentions(order, "Field 'n' differed"));
  EXPECT_TRUE(mentions(order, "depends on hash order"));
}

TEST(RerunReport, EachCauseHasItsOwnWarning) {
  const SampleResult first = passed("/a", R"({"a":1,"n":1,"s":["x","y"]})");
  const SampleResult again = passed("/a", R"({"a":2,"n":2,"s":["x","y"]})");
  const SampleResult fresh = passed("/a", R"({"a":3,"n":1,"s":["x","y"]})");
  const SampleResult turned = passed("/a", R"({"a":4,"n":1,"s":["y","x"]})");
  const Differences found = compare_answers({first, again, fresh});
  ASSERT_EQ(found.warnings.size(), 2U);
  EXPECT_TRUE(found.warnings[0].starts_with("Field 'a' differed")) << found.warnings[0];
  EXPECT_NE(found.warnings[0].find("depends on the clock"), std::string::npos);
  EXPECT_TRUE(found.warnings[1].starts_with("Field 'n' differed")) << found.warnings[1];
  EXPECT_NE(found.warnings[1].find("keeps state"), std::string::npos);
  EXPECT_EQ(found.fields, (Texts{"a", "n"}));
  const Differences order = compare_orders(first, turned, found);
  ASSERT_EQ(order.warnings.size(), 1U);
  EXPECT_TRUE(order.warnings[0].starts_with("Field 's' differed")) << order.warnings[0];
}

TEST(RerunReport, TheOrderOfTheFieldsIsNotHiddenByAnotherDifferenceAndToldOnce) {
  const SampleResult first = passed("/a", R"({"a":1,"x":1,"y":1})");
  const SampleResult later = passed("/a", R"({"a":2,"x":1,"y":1})");
  const SampleResult turned = passed("/a", R"({"a":3,"y":1,"x":1})");
  const Differences clock = compare_answers({first, later, later});
  EXPECT_EQ(clock.warnings.size(), 1U);
  EXPECT_TRUE(mentions(compare_orders(first, turned, clock).warnings, "The order of the fields"));
  const SampleResult only_turned = passed("/a", R"({"a":1,"y":1,"x":1})");
  const Differences chance = compare_answers({first, only_turned, only_turned});
  EXPECT_EQ(chance.warnings.size(), 1U);
  EXPECT_EQ(compare_orders(first, only_turned, chance).warnings, Texts{});
}

TEST(RerunReport, ASecondCallThatFailsIsNamedByItsError) {
  SampleResult failed;
  failed.error_type = "TimeoutError";
  failed.error = "Execution timed out\nafter 5.0s";
  const SampleResult first = passed("/a", "{}");
  EXPECT_TRUE(mentions(compare_answers({first, failed, first}).warnings,
                       "The outcome (TimeoutError: Execution timed out\\nafter 5.0s) differed"));
}

}  // namespace
}  // namespace airlock
