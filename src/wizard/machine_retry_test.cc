// Who wanted to see each retry sees it, and what goes is what was shown.
#include <gtest/gtest.h>

#include "wizard/machine.h"
#include "wizard/prompts.h"

namespace airlock::wizard {
namespace {

Machine asked(bool has_consented, bool shows_retries) {
  Machine machine({"/home/anna/1.csv", "/home/anna/2.csv"}, "", "",
                  {.has_model = true,
                   .model = "ollama test",
                   .has_consented = has_consented,
                   .shows_retries = shows_retries});
  machine.begin();
  Analyzed event;
  event.choice = OutputKind::kPython;
  event.yaml = "version: 1\n";
  event.confidence = 90;
  event.suggested_name = "sales";
  machine.handle(event);
  return machine;
}

std::vector<Effect> fail_once(Machine& machine, const std::string& context = "what went wrong") {
  machine.handle(Written{"code", Author::kModel});
  Judged event;
  event.stage = Stage::kSandbox;
  event.text = "bad";
  event.problem = "ValueError: of " + context;
  event.retry_context = context;
  return machine.handle(event);
}

const Write* question_in(const std::vector<Effect>& effects) {
  for (const Effect& effect : effects)
    if (const auto* found = std::get_if<Write>(&effect)) return found;
  return nullptr;
}

TEST(MachineRetries, GoWithoutAQuestionWhenThatWasSaidOnce) {
  Machine machine = asked(false, false);
  ASSERT_EQ(machine.sheet().state, State::kConsent);
  machine.handle(Pressed{Key::kEnter});
  const auto effects = fail_once(machine);
  ASSERT_NE(question_in(effects), nullptr);
  EXPECT_EQ(machine.sheet().state, State::kGenerating);
  EXPECT_EQ(machine.sheet().attempts.back().retry, question_in(effects)->retry);
}

TEST(MachineRetries, AreShownBeforeTheyGoToWhoAsked) {
  Machine machine = asked(false, false);
  machine.handle(Pressed{Key::kShow});
  for (std::size_t left = 3; left > 0; --left) {
    const std::string context = "failure " + std::to_string(left);
    EXPECT_EQ(question_in(fail_once(machine, context)), nullptr);
    ASSERT_EQ(machine.sheet().state, State::kRetryConsent);
    EXPECT_EQ(machine.sheet().retries_left, left);
    const std::string shown = machine.sheet().outgoing_retry;
    EXPECT_TRUE(shown.contains(context));
    EXPECT_TRUE(machine.sheet().attempts.back().retry.empty());
    const auto effects = machine.handle(Pressed{Key::kEnter});
    ASSERT_NE(question_in(effects), nullptr);
    EXPECT_EQ(question_in(effects)->retry, shown);
    EXPECT_EQ(machine.sheet().attempts.back().retry, shown);
    EXPECT_EQ(machine.sheet().retries_left, left - 1);
  }
  EXPECT_EQ(question_in(fail_once(machine)), nullptr);
  EXPECT_EQ(machine.sheet().state, State::kAnalysisError);
}

TEST(MachineRetries, AreNotShownAnyMoreWhenAllMayGo) {
  Machine machine = asked(true, true);
  fail_once(machine);
  ASSERT_EQ(machine.sheet().state, State::kRetryConsent);
  EXPECT_NE(question_in(machine.handle(Pressed{Key::kAll})), nullptr);
  EXPECT_NE(question_in(fail_once(machine)), nullptr);
  EXPECT_NE(machine.sheet().state, State::kRetryConsent);
}

TEST(MachineRetries, ThatAreNotWantedAreNotSentAndCostNothing) {
  Machine machine = asked(true, true);
  fail_once(machine);
  EXPECT_TRUE(machine.handle(Pressed{Key::kEscape}).empty());
  EXPECT_EQ(machine.sheet().state, State::kAnalysisError);
  EXPECT_EQ(machine.sheet().problem.detail, "ValueError: of what went wrong");
  EXPECT_EQ(machine.sheet().retries_left, 3U);
  EXPECT_TRUE(machine.sheet().attempts.back().retry.empty());
}

TEST(MachineRetries, WithoutTheModelNothingIsSent) {
  Machine machine = asked(true, true);
  fail_once(machine);
  const auto effects = machine.handle(Pressed{Key::kWithout});
  ASSERT_NE(question_in(effects), nullptr);
  EXPECT_EQ(question_in(effects)->author, Author::kTemplates);
  EXPECT_TRUE(machine.sheet().outgoing_retry.empty());
}

// A server that is busy is asked the same again: nothing new leaves.
TEST(MachineRetries, AskedAgainAreTheOnesThatWereSeen) {
  Machine machine = asked(true, true);
  fail_once(machine);
  const std::string shown = machine.sheet().outgoing_retry;
  machine.handle(Pressed{Key::kEnter});
  llm::ModelFailure busy;
  busy.is_worth_another_try = true;
  busy.retry_after = std::chrono::seconds(1);
  const auto effects = machine.handle(ModelFailed{busy});
  ASSERT_NE(question_in(effects), nullptr);
  EXPECT_EQ(question_in(effects)->retry, shown);
}

TEST(MachineRetries, OfAPersonsEditAndOfTemplatesThereAreNone) {
  Machine machine = asked(true, true);
  machine.handle(Written{"code", Author::kTemplates});
  Judged event;
  event.stage = Stage::kSandbox;
  event.problem = "x";
  EXPECT_TRUE(machine.handle(event).empty());
  EXPECT_EQ(machine.sheet().state, State::kAnalysisError);
}

}  // namespace
}  // namespace airlock::wizard
