// A question that SIGINT and SIGTERM cancel cleanly, so that it is still logged. For
// commands without a screen (`airlock ai ask`); the wizard has its own way to stop.
#pragma once

#include <expected>

#include "llm/model.h"

namespace airlock::llm {

// From now on the signals are noted for the whole program (os/interrupts.h). An interrupt is
// kCanceled.
std::expected<ModelAnswer, ModelFailure> ask_until_interrupted(Model& model, const Prompt& prompt);

}  // namespace airlock::llm
