#include "store/model_calls.h"

#include "support/temporary_store.h"

namespace airlock::store {
namespace {

constexpr std::int64_t kDay = 24 * test::kHour;

class ModelCallsTest : public test::TableTest<ModelCalls> {
 protected:
  std::string add(const char* model, ModelCallLimits limits = {}) {
    ModelCall call;
    call.started = clock_.now();
    call.model = model;
    call.outcome = "answered";
    clock_.ahead += 1;
    return table_->add(call, limits).value();
  }
};

TEST_F(ModelCallsTest, AQuestionIsShownAsItWasRecorded) {
  const ModelCall call{.id = {},
                       .started = clock_.now(),
                       .duration_ms = 2,
                       .provider = "p",
                       .model = "m",
                       .endpoint = "e",
                       .sent_sha256 = "h",
                       .sent_bytes = 3,
                       .sent_start = "s\n",
                       .answer_sha256 = "i",
                       .answer_bytes = 4,
                       .answer_start = "a",
                       .prompt_tokens = 5,
                       .answer_tokens = 6,
                       .is_estimated = true,
                       .outcome = "o",
                       .message = "w"};
  const std::string id = table_->add(call, {}).value();
  const ModelCall shown = table_->show(id.substr(0, 12)).value();
  EXPECT_EQ(shown.id, id);
  EXPECT_EQ(shown.started, call.started);
  EXPECT_EQ(shown.provider + shown.model + shown.endpoint + shown.sent_sha256 + shown.sent_start +
                shown.answer_sha256 + shown.answer_start + shown.outcome + shown.message,
            "pmehs\niaow");
  EXPECT_EQ(shown.duration_ms * 10000 + shown.sent_bytes * 1000 + shown.answer_bytes * 100 +
                shown.prompt_tokens * 10 + shown.answer_tokens,
            23456);
  EXPECT_TRUE(shown.is_estimated);
}

TEST_F(ModelCallsTest, TheNewestIsListedFirstAndExportedLast) {
  add("a");
  add("b");
  add("c");
  const auto listed = table_->list(2).value();
  ASSERT_EQ(listed.size(), 2u);
  EXPECT_EQ(listed[0].model + listed[1].model, "cb");
  std::string all;
  ASSERT_TRUE(table_->each([&](const ModelCall& call) -> Result<void> {
    all += call.model;
    return {};
  }));
  EXPECT_EQ(all, "abc");
}

TEST_F(ModelCallsTest, OldRowsAndTheOldestBeyondANumberGoOnWriting) {
  add("old");
  clock_.ahead += 91 * kDay;
  add("a");
  EXPECT_EQ(table_->list(10).value().size(), 1u);
  for (const char* name : {"b", "c", "d"}) add(name, {.most_rows = 2});
  const auto left = table_->list(10).value();
  ASSERT_EQ(left.size(), 2u);
  EXPECT_EQ(left[0].model + left[1].model, "dc");
}

TEST_F(ModelCallsTest, PruningSaysHowMany) {
  add("a");
  add("b");
  clock_.ahead += 10 * kDay;
  add("c");
  EXPECT_EQ(table_->prune(5 * kDay).value(), 2);
  EXPECT_EQ(table_->prune(5 * kDay).value(), 0);
  EXPECT_EQ(table_->list(10).value().size(), 1u);
}

TEST_F(ModelCallsTest, AQuestionThatIsNotThereIsSaid) {
  add("a");
  for (const char* id : {"", "zzz", "%", "' OR 1"}) EXPECT_FALSE(table_->show(id)) << id;
}

}  // namespace
}  // namespace airlock::store
