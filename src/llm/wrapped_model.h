// A model around another one: every question is told to a recorder, with its answer or its failure,
// so that a user can see later what left the machine (`airlock ai log`); and there are only so many
// of them, so that a loop that goes wrong cannot run up a bill. One thread at a time.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "llm/model.h"
#include "llm/settings.h"
#include "model/model_call.h"

namespace airlock::llm {

// Called on the thread that asks.
using CallRecorder = std::function<Result<void>(const ModelExchange&)>;
using WarningCallback = std::function<void(std::string_view)>;  // may be empty

// A log that cannot be written never costs an answer: the first failure is told to `warn`, the
// others to nobody.
std::shared_ptr<Model> make_logged(std::shared_ptr<Model> model, const ModelSettings& settings,
                                   CallRecorder record, WarningCallback warn);

// May be asked only so often, for so many tokens and so many seconds in all. What is used up is
// said before a question is sent, never after: the last question may therefore go over the tokens,
// by at most its own size. Time is that spent in ask(): a person who thinks costs nothing. A
// question that runs into the end of the seconds is stopped there.
std::shared_ptr<Model> make_budgeted(std::shared_ptr<Model> model, const BudgetSettings& budget);

// What commands use: the model of the settings, logged and held to its budget. Null for a provider
// that is disabled.
Result<std::shared_ptr<Model>> make_recorded_model(const ModelSettings& settings,
                                                   CallRecorder record, WarningCallback warn);

}  // namespace airlock::llm
