// How a run without a result is reported: the error's type and its words, the same in every command
// and known to the table of engine/retry.
#pragma once

#include <span>

#include "model/cell_answer.h"
#include "model/ending.h"
#include "model/guest_outcome.h"

namespace airlock {

// A call that was denied before the end comes first.
Failure describe_ending(const Ending& ending, const RunLimits& limits);

// `also` is what else went wrong; its type is empty when nothing did.
Failure describe_violation(std::span<const Denial> denials, const Failure& also);

}  // namespace airlock
