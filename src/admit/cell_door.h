// The inner door for what cells say: the one place where a guest's word becomes a success or a
// failure. RawOutcome and RawRow (hostile, from run/) go in, CellAnswer and RowAnswer come out.
//
// What is asked of a success: it is JSON, as strictly as the door for documents reads it
// (strict_json.h); it keeps to the limits that the cell was given; it is what was asked for.
// Whatever the cell answered, a system call that was denied makes a failure of it.
//
// Names are not judged here: results of a program are its own. What is kept as a fact passes
// admit.h, too. Pure; not for two threads at once.
#pragma once

#include <cstdint>

#include "admit/strict_json.h"
#include "model/cell_answer.h"
#include "model/raw_outcome.h"

namespace airlock {

// What was asked for.
enum class Wanted : std::uint8_t {
  kObject,
  kDocument,  // an object that passes admit.h next, which reads it itself
  kNothing,   // of loading
};

// For one cell after the other, with the limits that all of them were given.
class CellDoor {
 public:
  explicit CellDoor(const RunLimits& limits);

  CellAnswer judge(RawOutcome said, Wanted wanted);
  // The same for one answer of a bulk job, which is always an object.
  RowAnswer judge(const RawRow& said);

 private:
  bool is_within_limits(const GuestOutcome& outcome) const;
  bool is_what_was_wanted(const GuestOutcome& outcome, Wanted wanted);

  RunLimits limits_;
  StrictJson json_;
};

}  // namespace airlock
