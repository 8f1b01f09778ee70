#include "rules/match/matcher.h"

#include <gtest/gtest.h>

#include "rules/file/rule_file.h"

namespace airlock::rules {
namespace {

Matcher matcher(std::string_view yaml) {
  auto read = read_rule_file(yaml);
  EXPECT_TRUE(read) << (read ? "" : read.error().front().message);
  return Matcher(read ? std::move(*read) : RuleFile{});
}

// The first field as text; "-" when no rule matches.
std::string first(const Matcher& rules, std::string_view path) {
  Match match;
  if (!rules.match(path, match)) return "-";
  const FieldValue& value = match.values.at(0);
  switch (value.kind) {
    case FieldValue::Kind::kNull:
      return "null";
    case FieldValue::Kind::kText:
      return std::string(value.text);
    case FieldValue::Kind::kInteger:
      return std::to_string(value.integer);
    case FieldValue::Kind::kBoolean:
      return value.boolean ? "true" : "false";
    case FieldValue::Kind::kFloat:
      return std::to_string(value.real);
    default: {
      std::string text;
      if (value.kind == FieldValue::Kind::kDate) {
        append_date(text, value.time);
      } else {
        append_datetime(text, value.time);
      }
      return text;
    }
  }
}

std::string one(std::string_view field, std::string_view path) {
  return first(matcher("extract: {x: " + std::string(field) + "}"), path);
}

TEST(Matcher, SegmentsCountFromBothEnds) {
  EXPECT_EQ(one("{from: segment(-1)}", "/a/b/c"), "c");
  EXPECT_EQ(one("{from: segment(0)}", "/a/b/c"), "a");
  EXPECT_EQ(one("{from: segment(3)}", "/a/b/c"), "-");
  EXPECT_EQ(one("{from: segment(-4), default: none}", "/a/b/c"), "none");
  EXPECT_EQ(one("{from: filename}", "c"), "c");
  EXPECT_EQ(one("{from: full_path}", "/a/b"), "/a/b");
  EXPECT_EQ(one("{from: rel_path}", "/a/b"), "a/b");
  EXPECT_EQ(one("{from: hive(year), type: integer}", "/t/year=2024/x"), "2024");
}

TEST(Matcher, EveryFormOfPathIsOne) {
  for (const char* path : {"D:\\data\\m\\x.csv", "/data/m/x.csv", "data/m/x.csv",
                           "//data//m/./x.csv", "s3://data/m/x.csv", "file:///D:/data/m/x.csv",
                           "\\\\data\\m\\x.csv", "https://data/m/x.csv?q=/1"}) {
    EXPECT_EQ(one("{from: segment(0)}", path), "data") << path;
    EXPECT_EQ(one("{from: segment(-2)}", path), "m") << path;
  }
  EXPECT_EQ(one("{from: full_path}", "D:\\data\\x"), "D:/data/x");
  EXPECT_EQ(one("{from: filename}", "/a/b/"), "b");
}

TEST(Matcher, TypesAreExact) {
  EXPECT_EQ(one("{from: filename, type: integer}", "007"), "7");
  EXPECT_EQ(one("{from: filename, type: integer}", "9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(one("{from: filename, type: integer}", "9223372036854775808"), "-");
  EXPECT_EQ(one("{from: filename, type: integer}", "-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(one("{from: filename, type: integer}", "1.0"), "-");
  EXPECT_EQ(one("{from: filename, type: integer}", " 1"), "-");
  EXPECT_EQ(one("{from: filename}", "007"), "007");
  EXPECT_EQ(one("{from: filename, normalize: strip_leading_zeros}", "007"), "7");
  EXPECT_EQ(one("{from: filename, normalize: strip_leading_zeros}", "000"), "0");
  EXPECT_EQ(one("{from: filename, normalize: uppercase}", "aB1é"), "AB1é");
  EXPECT_EQ(one("{from: filename, type: date}", "2024-02-29"), "2024-02-29");
  EXPECT_EQ(one("{from: filename, type: date}", "2023-02-29"), "-");
  EXPECT_EQ(one("{from: filename, type: date}", "20240115"), "2024-01-15");
  EXPECT_EQ(one("{from: filename, type: date}", "2024-1-5"), "-");
  EXPECT_EQ(one("{from: filename, type: boolean}", "Yes"), "true");
  EXPECT_EQ(one("{from: filename, type: float}", "nan"), "-");
  EXPECT_EQ(one("{from: filename, type: float}", "1e999"), "-");
  EXPECT_EQ(one("{from: filename, type: uuid}", "0a1b2c3d-1111-4222-8333-0123456789ab"),
            "0a1b2c3d-1111-4222-8333-0123456789ab");
  EXPECT_EQ(one("{from: filename, type: uuid}", "0a1b2c3d"), "-");
  EXPECT_EQ(one("{from: filename, type: datetime}", "20240115T103000Z"), "2024-01-15T10:30:00Z");
  EXPECT_EQ(one("{from: filename, type: datetime}", "2024-01-15T24:00:00"), "-");
}

TEST(Matcher, DatesInManyForms) {
  const auto date = [](std::string_view format, std::string_view text) {
    return one("{from: filename, type: date, format: \"" + std::string(format) + "\"}", text);
  };
  EXPECT_EQ(date("%Y%m%d", "20240115"), "2024-01-15");
  EXPECT_EQ(date("%d.%m.%Y", "15.01.2024"), "2024-01-15");
  EXPECT_EQ(date("%d-%b-%Y", "15-Jan-2024"), "2024-01-15");
  EXPECT_EQ(date("%B %d %Y", "September 05 2024"), "2024-09-05");
  EXPECT_EQ(date("iso_week", "2024-W01"), "2024-01-01");
  EXPECT_EQ(date("iso_week", "2020-W53"), "2020-12-28");
  EXPECT_EQ(date("iso_week", "2021-W53"), "-");
  EXPECT_EQ(date("quarter", "2024-Q3"), "2024-07-01");
  EXPECT_EQ(date("quarter", "2024Q5"), "-");
  EXPECT_EQ(date("ordinal", "2024366"), "2024-12-31");
  EXPECT_EQ(date("ordinal", "2023366"), "-");
  EXPECT_EQ(date("epoch", "1705276800"), "2024-01-15");
  EXPECT_EQ(date("%y%m%d", "690101"), "1969-01-01");
}

TEST(Matcher, PatternsGiveTheirGroup) {
  EXPECT_EQ(one("{from: filename, pattern: 'Q(\\d)'}", "Q1"), "1");
  EXPECT_EQ(one("{from: filename, pattern: '\\d+'}", "a12b"), "12");
  EXPECT_EQ(one("{from: filename, pattern: '(\\d+)-(\\d+)', capture: 2}", "1-22"), "22");
  EXPECT_EQ(one("{from: filename, pattern: '(\\d+)-(\\d+)', capture: 0}", "x1-22"), "1-22");
  EXPECT_EQ(one("{from: filename, pattern: 'x(\\d)?', default: none}", "x"), "none");
  EXPECT_EQ(one("{from: filename, pattern: 'y', default: 3, type: integer}", "x"), "3");
  EXPECT_EQ(one("{from: filename, pattern: 'y', optional: true}", "x"), "null");
}

TEST(Matcher, BoundsAreHeld) {
  EXPECT_EQ(one("{from: filename, type: integer, validate: '1..12'}", "12"), "12");
  EXPECT_EQ(one("{from: filename, type: integer, validate: '1..12'}", "13"), "-");
  EXPECT_EQ(one("{from: filename, type: integer, validate: '1..'}", "0"), "-");
  EXPECT_EQ(one("{from: filename, type: date, validate: '2020-01-01..'}", "2019-12-31"), "-");
}

TEST(Matcher, TheHighestPriorityThatFitsWins) {
  const Matcher rules = matcher(
      "rules:\n"
      "  - {name: low, extract: {x: {from: filename}}}\n"
      "  - {name: high, priority: 9, glob: '*.csv', extract: {x: {from: filename, type: integer, "
      "pattern: '^(\\d+)'}}}\n");
  EXPECT_EQ(first(rules, "/a/12.csv"), "12");
  EXPECT_EQ(first(rules, "/a/x.csv"), "x.csv");
  EXPECT_EQ(first(rules, "/a/12.txt"), "12.txt");
}

TEST(Matcher, SaysWhatDidNotFit) {
  const Matcher rules =
      matcher("glob: '**/mission_*/*.csv'\nextract: {d: {from: segment(-2), type: date}}\n");
  Match match;
  EXPECT_FALSE(rules.match("/data/x/a.csv", match));
  EXPECT_TRUE(rules.describe_mismatch(match).contains("segment(-2) is 'x'"))
      << rules.describe_mismatch(match);
  EXPECT_FALSE(rules.match("/mission_1/a.csv", match));
  EXPECT_TRUE(rules.describe_mismatch(match).contains("'mission_1' is no date"))
      << rules.describe_mismatch(match);
}

TEST(Matcher, ConditionsAreAsked) {
  const auto read = read_rule_file(
      "extract: {n: {from: filename, type: integer}, d: {from: segment(-2), type: date}}\n"
      "tag_conditions:\n"
      "  - {if: 'n < 100 and d.year = 2024', tag: a}\n"
      "  - {if: 'not (n >= 5 or d.quarter != 1)', tag: b}\n"
      "  - {if: 'd < 2024-02-01', tag: c}\n");
  ASSERT_TRUE(read) << read.error().front().message;
  const auto& conditions = read->rules[0].tag_conditions;
  const Matcher rules(*read);
  Match match;
  ASSERT_TRUE(rules.match("/2024-01-15/7", match));
  EXPECT_TRUE(conditions[0].condition.holds(match.values));
  EXPECT_FALSE(conditions[1].condition.holds(match.values));
  EXPECT_TRUE(conditions[2].condition.holds(match.values));
}

TEST(Matcher, ALongPathIsOnlyLong) {
  std::string path;
  for (int i = 0; i < 4000; ++i) path += "/a";
  EXPECT_EQ(one("{from: segment(-4000)}", path), "a");
  EXPECT_EQ(first(matcher("glob: '**/a/**/a/**/b'\nextract: {x: {from: filename}}"), path), "-");
  EXPECT_EQ(one("{from: filename, pattern: '(a+)+$'}", std::string(100000, 'a') + "b"), "-");
}

}  // namespace
}  // namespace airlock::rules
