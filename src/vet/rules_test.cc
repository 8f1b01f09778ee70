// Every rule's own examples: the bad one is refused by that rule, the good one is accepted.
#include <gtest/gtest.h>

#include "vet/vet_test_support.h"

namespace airlock::vet {
namespace {

Stages stages_for(const Rule& row) {
  return {.security = row.stage != Stage::kSyntax, .signature = row.stage == Stage::kSignature};
}

TEST(Rules, EveryBadExampleIsFoundByItsOwnRule) {
  for (const Rule& row : all_rules()) {
    if (row.bad.empty()) continue;
    const Verdict verdict = test::vet(row.bad, stages_for(row));
    EXPECT_TRUE(test::has(verdict, row.code))
        << row.name << " says nothing about its own example:\n"
        << row.bad;
  }
}

TEST(Rules, EveryGoodExampleOfCodeIsAccepted) {
  for (const Rule& row : all_rules()) {
    if (row.bad.empty() || row.good.empty()) continue;
    const Verdict verdict =
        test::vet(row.good, {.security = row.code != RuleCode::kDynamicAttribute &&
                                         row.code != RuleCode::kFormatTemplate &&
                                         row.code != RuleCode::kForbiddenBuiltin &&
                                         row.code != RuleCode::kClassPattern,
                             .signature = false});
    EXPECT_EQ(verdict.decision, Decision::kAccepted)
        << row.name << ": " << (verdict.findings.empty() ? "" : verdict.findings[0].message);
  }
}

}  // namespace
}  // namespace airlock::vet
