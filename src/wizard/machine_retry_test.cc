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
  machine.handle(ProgramWritten{"code", Author::kModel});
  TextJudged event;
  event.stage = Stage::kSandbox;
  event.text = "bad";
  event.problem = "ValueError: of " + context;
  event.retry_context = context;
  return machine.handle(event);
}

const WriteProgram* question_in(const std::vector<Effect>& effects) {
  for (const Effect& effect : effects)
    if (const auto* found = std::get_if<WriteProgram>(&effect)) return found;
  return nullptr;
}

TEST(MachineRetries, GoWithoutAQuestionWhenThatWasSaidOnce) {
  Machine machine = asked(false, false);
  ASSERT_EQ(machine.state().phase, Phase::kConsent);
  machine.handle(KeyPressed{WizardKey::kEnter});
  const auto effects = fail_once(machine);
  ASSERT_NE(question_in(effects), nullptr);
  EXPECT_EQ(machine.state().phase, Phase::kGenerating);
  EXPECT_EQ(machine.state().attempts.back().retry, question_in(effects)->retry);
}

TEST(MachineRetries, AreShownBeforeTheyGoToWhoAsked) {
  Machine machine = asked(false, false);
  machine.handle(KeyPressed{WizardKey::kShow});
  for (std::size_t left = 3; left > 0; --left) {
    const std::string context = "failure " + std::to_string(left);
    EXPECT_EQ(question_in(fail_once(machine, context)), nullptr);
    ASSERT_EQ(machine.state().phase, Phase::kRetryConsent);
    EXPECT_EQ(machine.state().retries_left, left);
    const std::string shown = machine.state().outgoing_retry;
    EXPECT_TRUE(shown.contains(context));
    EXPECT_TRUE(machine.state().attempts.back().retry.empty());
    const auto effects = machine.handle(KeyPressed{WizardKey::kEnter});
    ASSERT_NE(question_in(effects), nullptr);
    EXPECT_EQ(question_in(effects)->retry, shown);
    EXPECT_EQ(machine.state().attempts.back().retry, shown);
    EXPECT_EQ(machine.state().retries_left, left - 1);
  }
  EXPECT_EQ(question_in(fail_once(machine)), nullptr);
  EXPECT_EQ(machine.state().phase, Phase::kAnalysisError);
}

TEST(MachineRetries, AreNotShownAnyMoreWhenAllMayGo) {
  Machine machine = asked(true, true);
  fail_once(machine);
  ASSERT_EQ(machine.state().phase, Phase::kRetryConsent);
  EXPECT_NE(question_in(machine.handle(KeyPressed{WizardKey::kAll})), nullptr);
  EXPECT_NE(question_in(fail_once(machine)), nullptr);
  EXPECT_NE(machine.state().phase, Phase::kRetryConsent);
}

TEST(MachineRetries, ThatAreNotWantedAreNotSentAndCostNothing) {
  Machine machine = asked(true, true);
  fail_once(machine);
  EXPECT_TRUE(machine.handle(KeyPressed{WizardKey::kEscape}).empty());
  EXPECT_EQ(machine.state().phase, Phase::kAnalysisError);
  EXPECT_EQ(machine.state().problem.detail, "ValueError: of what went wrong");
  EXPECT_EQ(machine.state().retries_left, 3U);
  EXPECT_TRUE(machine.state().attempts.back().retry.empty());
}

TEST(MachineRetries, WithoutTheModelNothingIsSent) {
  Machine machine = asked(true, true);
  fail_once(machine);
  const auto effects = machine.handle(KeyPressed{WizardKey::kWithoutModel});
  ASSERT_NE(question_in(effects), nullptr);
  EXPECT_EQ(question_in(effects)->author, Author::kTemplates);
  EXPECT_TRUE(machine.state().outgoing_retry.empty());
}

// A server that is busy is asked the same again: nothing new leaves.
TEST(MachineRetries, AskedAgainAreTheOnesThatWereSeen) {
  Machine machine = asked(true, true);
  fail_once(machine);
  const std::string shown = machine.state().outgoing_retry;
  machine.handle(KeyPressed{WizardKey::kEnter});
  llm::ModelFailure busy;
  busy.is_worth_another_try = true;
  busy.retry_after = std::chrono::seconds(1);
  const auto effects = machine.handle(ModelFailed{busy});
  ASSERT_NE(question_in(effects), nullptr);
  EXPECT_EQ(question_in(effects)->retry, shown);
}

TEST(MachineRetries, OfAPersonsEditAndOfTemplatesThereAreNone) {
  Machine machine = asked(true, true);
  machine.handle(ProgramWritten{"code", Author::kTemplates});
  TextJudged event;
  event.stage = Stage::kSandbox;
  event.problem = "x";
  EXPECT_TRUE(machine.handle(event).empty());
  EXPECT_EQ(machine.state().phase, Phase::kAnalysisError);
}

}  // namespace
}  // namespace airlock::wizard
