#include "model/rule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "base/ascii.h"

namespace airlock {
namespace {

TEST(Rule, NamesAreTheCodes) {
  for (const Rule& row : all_rules()) {
    std::string digits = std::to_string(static_cast<int>(row.code));
    EXPECT_EQ(row.name, "AL" + std::string(3 - digits.size(), '0') + digits);
  }
}

TEST(Rule, CodesAreUniqueAndAscend) {
  std::uint16_t last = 0;
  for (const Rule& row : all_rules()) {
    EXPECT_GT(static_cast<std::uint16_t>(row.code), last) << row.name;
    last = static_cast<std::uint16_t>(row.code);
  }
}

TEST(Rule, TheHundredsSayTheStage) {
  for (const Rule& row : all_rules()) {
    const int hundred = static_cast<int>(row.code) / 100;
    if (hundred <= 1) {
      EXPECT_EQ(row.stage, Stage::kSyntax) << row.name;
    }
    if (hundred == 2) {
      EXPECT_EQ(row.stage, Stage::kSecurity) << row.name;
    }
    if (hundred == 3) {
      EXPECT_EQ(row.stage, Stage::kSignature) << row.name;
    }
  }
}

TEST(Rule, EveryRowHasWordsForPeople) {
  for (const Rule& row : all_rules()) {
    EXPECT_FALSE(row.kind.empty()) << row.name;
    EXPECT_FALSE(row.title.empty()) << row.name;
    EXPECT_FALSE(row.why.empty()) << row.name;
    EXPECT_NE(row.title.back(), '.') << row.name << ": a title is no sentence";
    EXPECT_EQ(row.why.back(), '.') << row.name;
  }
}

// SARIF 2.1.0, 3.49.7: a name is an identifier in Pascal case. Two rules of one name would be one
// rule to whoever reads by names.
TEST(Rule, EveryRowHasASarifNameOfItsOwn) {
  std::set<std::string_view> seen;
  for (const Rule& row : all_rules()) {
    ASSERT_FALSE(row.sarif_name.empty()) << row.name;
    EXPECT_TRUE(is_upper(row.sarif_name.front())) << row.name;
    EXPECT_TRUE(std::ranges::all_of(row.sarif_name, is_alnum)) << row.name;
    EXPECT_TRUE(seen.insert(row.sarif_name).second) << row.sarif_name << " stands twice";
  }
}

TEST(Rule, ARuleIsFoundByItsNumberAndByItsName) {
  for (const Rule& row : all_rules()) {
    EXPECT_EQ(find_rule(static_cast<std::uint16_t>(row.code)), &row);
    EXPECT_EQ(find_rule(row.name), &row);
    EXPECT_EQ(&rule(row.code), &row);
  }
  EXPECT_EQ(find_rule("al201"), find_rule("AL201"));
}

TEST(Rule, WhatIsNoRuleIsNotFound) {
  for (const char* name : {"", "AL", "AL999", "AL2011", "201", "XX201"})
    EXPECT_EQ(find_rule(name), nullptr) << name;
  for (const std::uint16_t number : {std::uint16_t{0}, std::uint16_t{10}, std::uint16_t{999}})
    EXPECT_EQ(find_rule(number), nullptr) << number;
}

}  // namespace
}  // namespace airlock
