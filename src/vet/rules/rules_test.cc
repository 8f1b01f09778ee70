// Every rule's own examples are whole programs: the bad one is refused by that rule and by no
// other, the good one is accepted.
#include <set>

#include "support/vetting.h"

namespace airlock::vet::test {
namespace {

Stages stages_for(const Rule& row) {
  return {.security = row.stage != Stage::kSyntax, .signature = row.stage == Stage::kSignature};
}

TEST(Rules, EveryBadExampleIsFoundByItsOwnRule) {
  for (const Rule& row : all_rules()) {
    if (row.bad.empty()) continue;
    EXPECT_TRUE(has(vet(row.bad, stages_for(row)), row.code))
        << row.name << " says nothing about its own example:\n"
        << row.bad;
  }
}

TEST(Rules, NoBadExampleIsRefusedByAnotherRule) {
  for (const Rule& row : all_rules()) {
    std::set<std::string_view> others;
    for (const Finding& one : vet(row.bad, stages_for(row)).findings) {
      if (one.severity == Severity::kError && one.rule->code != row.code)
        others.insert(one.rule->name);
    }
    if (!row.bad.empty()) {
      EXPECT_EQ(others, std::set<std::string_view>()) << row.name << ":\n" << row.bad;
    }
  }
}

TEST(Rules, EveryGoodExampleIsAccepted) {
  for (const Rule& row : all_rules()) {
    if (row.bad.empty()) continue;  // then the good one is advice in words
    const Verdict verdict =
        vet(row.good, {.security = true, .signature = row.stage == Stage::kSignature});
    EXPECT_EQ(errors_of(verdict), std::vector<std::string>()) << row.name << ":\n" << row.good;
  }
}

TEST(Rules, NoGoodExampleHasWhatItsRuleIsAbout) {
  for (const Rule& row : all_rules()) {
    if (!row.bad.empty()) {
      EXPECT_FALSE(has(vet(row.good, stages_for(row)), row.code)) << row.name;
    }
  }
}

}  // namespace
}  // namespace airlock::vet::test
