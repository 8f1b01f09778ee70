// What a cell said, judged by the inner door and told in words, the same in every command. The step
// behind run/ and admit/: raw bytes in, a CellAnswer that may be shown out.
#pragma once

#include <span>

#include "admit/cell_door.h"
#include "model/cell_answer.h"
#include "model/raw_outcome.h"

namespace airlock {

// `waited`: how long the supervisor did, in milliseconds.
CellAnswer read_answer(RawOutcome said, Wanted wanted, const RunLimits& limits, double waited);

// How a run without a result is reported: the error's type and its words, known to the table of
// engine/retry. A call that was denied before the end comes first.
Failure describe_ending(const Ending& ending, const RunLimits& limits);

// The same without a word about calls that were denied: the guest went on after them.
Failure describe_cause(const Ending& ending, const RunLimits& limits);

// `also` is what else went wrong; its type is empty when nothing did.
Failure describe_violation(std::span<const Denial> denials, const Failure& also);

}  // namespace airlock
