#include "store/flow_steps.h"

#include "store/runs.h"
#include "support/temporary_store.h"

namespace airlock::store {
namespace {

using FlowStepsTest = test::StoreTest;

TEST_F(FlowStepsTest, StepsComeBackInOrderAndWithoutWhatWasNotKept) {
  auto database = Database::open(folder_).value();
  const std::string run = Runs(database, clock_).begin("flow.yaml", "run").value();
  FlowSteps steps(database);
  ASSERT_TRUE(steps.begin(run, "hash"));
  const Sanitized entry = test::sanitized(R"({"result":1})");
  ASSERT_TRUE(steps.add(run, 0, {"a", "h1", "default", 1500, std::nullopt, ""}, &entry));
  ASSERT_TRUE(steps.add(run, 1, {"b", "h2", "default", 20, std::nullopt, "not JSON"}, nullptr));
  EXPECT_EQ(steps.shared_hash(run).value(), "hash");
  const auto found = steps.steps(run).value();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].entry, R"({"result":1})");
  EXPECT_EQ(found[0].duration_us, 1500);
  EXPECT_FALSE(found[1].entry);
  EXPECT_EQ(found[1].why_not, "not JSON");
}

TEST_F(FlowStepsTest, ARunOfProbesIsNoRunOfAFlow) {
  auto database = Database::open(folder_).value();
  const std::string run = Runs(database, clock_).begin("repository", "audit").value();
  EXPECT_FALSE(FlowSteps(database).shared_hash(run).value());
  EXPECT_FALSE(FlowSteps(database).begin("no such run", "hash"));
}

}  // namespace
}  // namespace airlock::store
