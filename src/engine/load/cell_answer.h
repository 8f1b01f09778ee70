// What a cell said, judged by the inner door and told in words, the same in every command. The step
// behind run/ and admit/: raw bytes in, a CellAnswer that may be shown out.
#pragma once

#include "admit/cell_door.h"
#include "model/cell_answer.h"
#include "model/raw_outcome.h"

namespace airlock {

// `waited`: how long the supervisor did, in milliseconds.
CellAnswer read_answer(RawOutcome said, Wanted wanted, const RunLimits& limits, double waited);

}  // namespace airlock
