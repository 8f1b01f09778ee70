// What a cell said, read as hostile: the one place where a guest's word becomes a success or a
// failure. Whatever the cell answered, a system call that was denied is a failure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/load/failure.h"
#include "model/guest_outcome.h"
#include "run/chamber.h"

namespace airlock {

struct CellAnswer {
  bool success = false;
  std::string value;  // of a success, as it was wanted
  Failure failure;
  std::uint32_t line = 0;  // in the guest's code; 0: nowhere in it
  std::vector<TraceLine> trace;
  std::string output;
  std::string error_output;
  double milliseconds = 0;
  std::vector<Denial> denials;
  std::optional<run::Ending> ending;  // the cell is gone
};

// What was asked for.
enum class Wanted : std::uint8_t {
  kObject,
  kDocument,  // an object that passes the inner door next, which reads it itself
  kNothing,   // of loading
};

// How deep a result may be: a little deeper than a cell writes one.
std::size_t deepest_result(const RunLimits& limits);

// `waited`: how long the supervisor did, in milliseconds.
CellAnswer read_answer(run::RawOutcome said, Wanted wanted, const RunLimits& limits, double waited);

}  // namespace airlock
