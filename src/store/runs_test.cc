#include "store/runs.h"

#include "store/run_id.h"
#include "support/temporary_store.h"

namespace airlock::store {
namespace {

using RunsTest = test::TableTest<Runs>;

TEST(RunId, SortsByTimeAndIsNeverTheSame) {
  const std::string zeros(16, '\0');
  EXPECT_EQ(run_id(0, zeros), std::string(26, '0'));
  EXPECT_EQ(run_id(31, zeros), "000000000z" + std::string(16, '0'));
  EXPECT_LT(run_id(1700000000000, std::string(16, '\xff')), run_id(1700000000001, zeros));
  EXPECT_EQ(run_id(1, std::string(40, 'a')).size(), 26u);
}

TEST_F(RunsTest, ARunIsShownAsItWasRecorded) {
  const std::string id = table_->begin("repository", "audit").value();
  ASSERT_TRUE(table_->add(id, {"language",
                               ExecutionStatus::kRan,
                               "key",
                               std::nullopt,
                               12,
                               {{"0123abcd", "github-token"}, {"89ab4567", "aws-key"}}}));
  ASSERT_TRUE(
      table_->add(id, {"other", ExecutionStatus::kSkipped, std::nullopt, "not for it", 0, {}}));
  EXPECT_FALSE(table_->show(id).value().finished);
  clock_.ahead += 5000;
  ASSERT_TRUE(table_->finish(id));
  const RunRecord run = table_->show(id).value();
  EXPECT_EQ(run.id, id);
  EXPECT_EQ(run.task, "audit");
  EXPECT_GE(*run.finished - run.started, 5000);
  ASSERT_EQ(run.executions.size(), 2u);
  EXPECT_EQ(run.executions[0].key, "key");
  EXPECT_FALSE(run.executions[0].reason);
  EXPECT_EQ(run.executions[0].duration_ms, 12);
  ASSERT_EQ(run.executions[0].findings.size(), 2u);
  EXPECT_EQ(run.executions[0].findings[1].pattern, "aws-key");
  EXPECT_EQ(run.executions[1].status, ExecutionStatus::kSkipped);
  EXPECT_EQ(run.executions[1].reason, "not for it");
}

TEST_F(RunsTest, OnlyTheNameOfARepositoryIsKept) {
  for (const char* place : {"/somewhere/deep/name", "/somewhere/name/", "name", R"(C:\x\name\)"}) {
    const std::string id = table_->begin(place, "t").value();
    EXPECT_EQ(table_->show(id).value().repository, "name") << place;
  }
}

TEST_F(RunsTest, TheNewestIsListedFirst) {
  std::vector<std::string> ids;
  for (int i = 0; i < 3; ++i) {
    ids.push_back(table_->begin("r", "t").value());
    clock_.ahead += 1000;
  }
  const auto runs = table_->list(2).value();
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].id, ids[2]);
  EXPECT_EQ(runs[1].id, ids[1]);
}

TEST_F(RunsTest, ABeginningThatOnlyOneHasIsEnough) {
  const std::string id = table_->begin("r", "t").value();
  EXPECT_EQ(table_->show(id.substr(0, 8)).value().id, id);
  clock_.ahead += 1;
  ASSERT_TRUE(table_->begin("r", "t"));
  const auto both = table_->show(id.substr(0, 4));
  ASSERT_FALSE(both);
  EXPECT_NE(both.error().message.find("more than one"), std::string::npos);
}

TEST_F(RunsTest, ARunThatIsNotThereIsSaid) {
  for (const char* id : {"", "zzz", "%", "' OR 1"}) {
    const auto run = table_->show(id);
    ASSERT_FALSE(run) << id;
    EXPECT_NE(run.error().message.find("there is no run"), std::string::npos);
  }
}

TEST_F(RunsTest, AnExecutionOfNoRunIsRefused) {
  EXPECT_FALSE(table_->add("nobody", {"p", ExecutionStatus::kRan, {}, {}, 0, {}}));
}

TEST_F(RunsTest, ASecondExecutionOfTheSameProbeChangesNothing) {
  const std::string id = table_->begin("r", "t").value();
  ASSERT_TRUE(table_->add(id, {"p", ExecutionStatus::kRan, {}, {}, 1, {}}));
  EXPECT_FALSE(table_->add(id, {"p", ExecutionStatus::kFailed, {}, {}, 2, {{"f", "x"}}}));
  EXPECT_EQ(table_->show(id).value().executions.at(0).status, ExecutionStatus::kRan);
}

}  // namespace
}  // namespace airlock::store
