#include "llm/budgeted_model.h"

#include <fmt/format.h>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace airlock::llm {

namespace {

using Steady = std::chrono::steady_clock;

// Requests a stop when the time is over, or when whoever asked does. A thread of its own keeps the
// time, because ask() of the wrapped model blocks.
class Deadline {
 public:
  Deadline(const std::stop_token& stop, Steady::duration left)
      : forward_(stop, [this] { source_.request_stop(); }),
        clock_([this, left](const std::stop_token& done) { wait(done, left); }) {}
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;
  ~Deadline() = default;

  std::stop_token token() const { return source_.get_token(); }
  bool has_passed() {
    const std::scoped_lock lock(mutex_);
    return has_passed_;
  }

 private:
  void wait(const std::stop_token& done, Steady::duration left) {
    std::unique_lock lock(mutex_);
    // The condition never holds: this waits for the time alone, or for `done`, which the destructor
    // of clock_ requests.
    changed_.wait_for(lock, done, left, [] { return false; });
    if (done.stop_requested()) return;
    has_passed_ = true;
    source_.request_stop();
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool has_passed_ = false;
  std::stop_source source_;
  std::stop_callback<std::function<void()>> forward_;
  std::jthread clock_;  // last: it is joined before what it uses goes
};

// Counts over the lifetime of the object, which is that of one command.
class BudgetedModel final : public Model {
 public:
  BudgetedModel(std::shared_ptr<Model> model, const BudgetSettings& budget)
      : model_(std::move(model)), budget_(budget) {}

  std::string describe() const override { return model_->describe(); }

  std::expected<ModelAnswer, ModelFailure> ask(const Prompt& prompt,
                                               const AskControl& control) override {
    if (auto failure = used_up()) return std::unexpected(*std::move(failure));
    ++attempts_;
    const auto started = Steady::now();
    Deadline deadline(control.stop, budget_.seconds - spent_);
    auto answer = model_->ask(prompt, {deadline.token(), control.on_progress});
    spent_ += Steady::now() - started;
    if (answer) {
      tokens_ += answer->usage.prompt_tokens + answer->usage.answer_tokens;
      // The wrapped model cannot tell our stop from the user's; only the user's is a cancellation.
    } else if (answer.error().trouble == Trouble::kCanceled && deadline.has_passed()) {
      return std::unexpected(over_seconds());
    }
    return answer;
  }

 private:
  // Asked before each question. Attempts count questions that were sent, whether or not they were
  // answered.
  std::optional<ModelFailure> used_up() const {
    if (attempts_ >= budget_.attempts)
      return over(
          fmt::format("The model was asked {} times, as often as its budget allows.", attempts_),
          "attempts");
    if (tokens_ >= budget_.tokens)
      return over(fmt::format("{} of {} tokens are used.", tokens_, budget_.tokens), "tokens");
    if (spent_ >= budget_.seconds) return over_seconds();
    return std::nullopt;
  }

  ModelFailure over_seconds() const {
    return over(fmt::format("{} s were spent waiting for the model, as much as its budget allows.",
                            budget_.seconds.count()),
                "seconds");
  }

  static ModelFailure over(std::string message, std::string_view setting) {
    std::string variable = setting == "tokens"     ? "AIRLOCK_MODEL_BUDGET_TOKENS"
                           : setting == "attempts" ? "AIRLOCK_MODEL_BUDGET_ATTEMPTS"
                                                   : "AIRLOCK_MODEL_BUDGET_SECONDS";
    return {.trouble = Trouble::kOverBudget,
            .message = std::move(message),
            .fix = fmt::format("raise {} in [model.budget], or {}", setting, variable)};
  }

  std::shared_ptr<Model> model_;
  BudgetSettings budget_;
  std::int64_t attempts_ = 0;
  std::int64_t tokens_ = 0;
  Steady::duration spent_{0};
};

}  // namespace

std::shared_ptr<Model> make_budgeted(std::shared_ptr<Model> model, const BudgetSettings& budget) {
  return std::make_shared<BudgetedModel>(std::move(model), budget);
}

}  // namespace airlock::llm
