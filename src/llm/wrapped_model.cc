#include "llm/wrapped_model.h"

#include <fmt/format.h>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "llm/http_model.h"
#include "llm/providers/providers.h"
#include "llm/troubles.h"

namespace airlock::llm {

namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;

// All that leaves the machine of a prompt, in the order in which it is sent.
std::string text_of(const Prompt& prompt) {
  return prompt.system.empty() ? prompt.user : prompt.system + "\n\n" + prompt.user;
}

class LoggedModel final : public Model {
 public:
  LoggedModel(std::shared_ptr<Model> model, const ModelSettings& settings, CallRecorder record,
              WarningCallback warn)
      : model_(std::move(model)),
        provider_(name_of(settings.provider)),
        name_(settings.model),
        endpoint_(settings.endpoint),
        record_(std::move(record)),
        warn_(std::move(warn)) {}

  std::string describe() const override { return model_->describe(); }

  std::expected<ModelAnswer, ModelFailure> ask(const Prompt& prompt,
                                               const AskControl& control) override {
    ModelExchange exchange{.provider = provider_, .model = name_, .endpoint = endpoint_};
    exchange.started =
        duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
    const auto before = std::chrono::steady_clock::now();
    auto answer = model_->ask(prompt, control);
    exchange.duration_ms =
        duration_cast<milliseconds>(std::chrono::steady_clock::now() - before).count();
    // Taken after the answer: making the copy must not count as the model's time.
    exchange.sent = text_of(prompt);
    exchange.retry = prompt.retry;
    if (answer) {
      exchange.answer = answer->text;
      exchange.prompt_tokens = answer->usage.prompt_tokens;
      exchange.answer_tokens = answer->usage.answer_tokens;
      exchange.is_estimated = answer->usage.is_estimated;
      if (answer->was_cut) exchange.outcome = "answered_cut";
    } else {
      exchange.outcome = to_string(answer.error().trouble);
      exchange.message = answer.error().message;
    }
    record(exchange);
    return answer;
  }

 private:
  void record(const ModelExchange& exchange) {
    if (!record_) return;
    const auto kept = record_(exchange);
    if (kept || has_warned_) return;
    has_warned_ = true;
    if (warn_) warn_("this question is not in the log: " + kept.error().message);
  }

  std::shared_ptr<Model> model_;
  std::string provider_;
  std::string name_;
  std::string endpoint_;
  CallRecorder record_;
  WarningCallback warn_;
  bool has_warned_ = false;
};

}  // namespace

std::shared_ptr<Model> make_logged(std::shared_ptr<Model> model, const ModelSettings& settings,
                                   CallRecorder record, WarningCallback warn) {
  return std::make_shared<LoggedModel>(std::move(model), settings, std::move(record),
                                       std::move(warn));
}

Result<std::shared_ptr<Model>> make_recorded_model(const ModelSettings& settings,
                                                   CallRecorder record, WarningCallback warn) {
  auto model = make_model(settings);
  if (!model || *model == nullptr) return model;
  // The budget stands outside of the log: a question that is refused for lack of budget was not
  // sent, so it is not logged.
  return make_budgeted(make_logged(*std::move(model), settings, std::move(record), std::move(warn)),
                       settings.budget);
}

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
