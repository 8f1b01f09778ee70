#include "engine/load/cell_answer.h"

#include <utility>

#include "engine/load/failure.h"

namespace airlock {

CellAnswer read_answer(RawOutcome said, Wanted wanted, const RunLimits& limits, double waited) {
  CellAnswer answer = CellDoor(limits).judge(std::move(said), wanted);
  if (answer.ending) {
    answer.failure = describe_ending(*answer.ending, limits);
    answer.milliseconds = waited;
  } else if (!answer.denials.empty()) {
    answer.failure = describe_violation(answer.denials, answer.failure);
  }
  return answer;
}

}  // namespace airlock
