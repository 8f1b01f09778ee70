// The session with its real hands, as far as no walls are needed.
#include "wizard/session.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

namespace airlock::wizard {
namespace {

// A library that throws where nobody expects it.
class ThrowingModel final : public llm::Model {
 public:
  explicit ThrowingModel(bool has_memory) : has_memory_(has_memory) {}

  std::string describe() const override { return "a model that throws"; }
  std::expected<llm::ModelAnswer, llm::ModelFailure> ask(const llm::Prompt& prompt,
                                                         const llm::AskControl&) override {
    if (prompt.user.empty()) return llm::ModelAnswer{};
    if (!has_memory_) throw std::bad_alloc();
    throw 42;  // what is no std::exception ends nothing either
  }

 private:
  bool has_memory_;
};

SessionRequest request_with(std::shared_ptr<llm::Model> model) {
  SessionRequest request;
  request.samples = {"/data/CLIENT-A/2024/Q1/a.csv", "/data/CLIENT-B/2024/Q2/b.csv",
                     "/data/CLIENT-C/2023/Q4/c.csv"};
  request.hint = "compute start/end month";
  request.policy = *find_builtin_policy("extractor");
  request.policy_name = "extractor";
  request.settings = {.has_model = true, .model = model->describe(), .has_consented = true};
  request.model = std::move(model);
  return request;
}

TEST(Session, AnExceptionOnItsThreadEndsOnePieceOfWorkAndNotTheProgram) {
  for (const bool has_memory : {false, true}) {
    auto session = Session::begin(request_with(std::make_shared<ThrowingModel>(has_memory)));
    ASSERT_TRUE(session);
    (*session)->wait_until_idle();
    const WizardState& state = (*session)->state();
    EXPECT_EQ(state.phase, Phase::kAnalysisError);
    EXPECT_TRUE(state.problem.is_transport);
    EXPECT_TRUE(state.problem.detail.contains("an error of our own")) << state.problem.detail;
    // And the next piece of work is done.
    (*session)->handle(KeyPressed{WizardKey::kRegenerate});
    (*session)->wait_until_idle();
    EXPECT_EQ((*session)->state().phase, Phase::kAnalysisError);
  }
}

}  // namespace
}  // namespace airlock::wizard
