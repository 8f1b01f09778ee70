// A model that may be asked only so often, for so many tokens and so many seconds in all. Commands
// get it through make_recorded_model() (llm/logged_model.h), so that a loop that goes wrong cannot
// run up a bill. What is used up is said before a question is sent, never after: the last question
// may therefore go over the tokens, by at most its own size.
#pragma once

#include <memory>

#include "llm/model.h"
#include "llm/settings.h"

namespace airlock::llm {

// One thread at a time. Time is that spent in ask(): a person who thinks costs nothing. A question
// that runs into the end of the seconds is stopped there.
std::shared_ptr<Model> make_budgeted(std::shared_ptr<Model> model, const BudgetSettings& budget);

}  // namespace airlock::llm
