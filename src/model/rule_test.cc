#include "model/rule.h"

#include <gtest/gtest.h>

#include <string>

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
