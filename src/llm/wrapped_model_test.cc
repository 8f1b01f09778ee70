// The wrappers: budgets and the log.
#include "llm/wrapped_model.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "llm/providers/providers.h"

namespace airlock::llm {
namespace {

// Answers with what it is told, or waits until it is stopped.
class FakeModel : public Model {
 public:
  std::string describe() const override { return "fake"; }
  std::expected<ModelAnswer, ModelFailure> ask(const Prompt&, const AskControl& control) override {
    ++asked;
    while (waits && !control.stop.stop_requested()) std::this_thread::yield();
    if (waits)
      return std::unexpected(ModelFailure{.trouble = Trouble::kCanceled, .message = "", .fix = ""});
    if (fails)
      return std::unexpected(
          ModelFailure{.trouble = Trouble::kTimeout, .message = "late", .fix = ""});
    return ModelAnswer{.text = "text", .usage = {30, 20, true}, .was_cut = true};
  }
  int asked = 0;
  bool waits = false;
  bool fails = false;
};

Trouble trouble_of(const std::expected<ModelAnswer, ModelFailure>& answer) {
  return answer ? Trouble::kNotRunning : answer.error().trouble;
}

TEST(Budget, AttemptsAreCountedBeforeTheQuestionIsSent) {
  const auto fake = std::make_shared<FakeModel>();
  fake->fails = true;
  const auto model = make_budgeted(fake, {.attempts = 2});
  EXPECT_EQ(trouble_of(model->ask({}, {})), Trouble::kTimeout);
  EXPECT_EQ(trouble_of(model->ask({}, {})), Trouble::kTimeout);
  const auto third = model->ask({}, {});
  EXPECT_EQ(trouble_of(third), Trouble::kOverBudget);
  EXPECT_NE(third.error().fix.find("AIRLOCK_MODEL_BUDGET_ATTEMPTS"), std::string::npos);
  EXPECT_EQ(fake->asked, 2);
}

TEST(Budget, TokensOfQuestionsAndAnswersCount) {
  const auto fake = std::make_shared<FakeModel>();
  const auto model = make_budgeted(fake, {.tokens = 100});
  EXPECT_TRUE(model->ask({}, {}));
  EXPECT_TRUE(model->ask({}, {}));
  EXPECT_EQ(trouble_of(model->ask({}, {})), Trouble::kOverBudget);
  EXPECT_EQ(fake->asked, 2);
}

TEST(Budget, AQuestionIsStoppedWhenTheSecondsAreUsed) {
  const auto fake = std::make_shared<FakeModel>();
  fake->waits = true;
  const auto model = make_budgeted(fake, {.seconds = std::chrono::seconds(1)});
  EXPECT_EQ(trouble_of(model->ask({}, {})), Trouble::kOverBudget);
  EXPECT_EQ(trouble_of(model->ask({}, {})), Trouble::kOverBudget);
  EXPECT_EQ(fake->asked, 1);
}

TEST(Budget, CancelingIsNotABudget) {
  const auto fake = std::make_shared<FakeModel>();
  fake->waits = true;
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(trouble_of(make_budgeted(fake, {})->ask({}, {stop.get_token(), {}})),
            Trouble::kCanceled);
}

TEST(Log, EveryQuestionIsRecordedWithItsOutcome) {
  const auto fake = std::make_shared<FakeModel>();
  std::vector<ModelExchange> kept;
  ModelSettings settings;
  settings.provider = &providers::kOllama;
  settings.model = "m";
  const auto model = make_logged(fake, settings,
                                 [&](const ModelExchange& exchange) -> Result<void> {
                                   kept.push_back(exchange);
                                   return {};
                                 },
                                 {});
  EXPECT_TRUE(model->ask({.system = "s", .user = "u"}, {}));
  fake->fails = true;
  EXPECT_FALSE(model->ask({.system = "", .user = "u"}, {}));
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].sent, "s\n\nu");
  EXPECT_EQ(kept[0].answer, "text");
  EXPECT_EQ(kept[0].outcome, "answered_cut");
  EXPECT_EQ(kept[0].provider, "ollama");
  EXPECT_EQ(kept[0].prompt_tokens, 30);
  EXPECT_TRUE(kept[0].is_estimated);
  EXPECT_GT(kept[0].started, 0);
  EXPECT_EQ(kept[1].sent, "u");
  EXPECT_EQ(kept[1].outcome, "timeout");
  EXPECT_EQ(kept[1].message, "late");
}

TEST(Log, ThatCannotBeWrittenCostsNoAnswerAndIsSaidOnce) {
  int warnings = 0;
  const auto model = make_logged(
      std::make_shared<FakeModel>(), {}, [](const ModelExchange&) { return fail("disk is full"); },
      [&](std::string_view words) {
        ++warnings;
        EXPECT_NE(words.find("disk is full"), std::string_view::npos);
      });
  EXPECT_TRUE(model->ask({}, {}));
  EXPECT_TRUE(model->ask({}, {}));
  EXPECT_EQ(warnings, 1);
}

}  // namespace
}  // namespace airlock::llm
