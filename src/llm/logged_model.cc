#include "llm/logged_model.h"

#include <utility>

#include "llm/budgeted_model.h"
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

}  // namespace airlock::llm
