// What a cell said, judged by the inner door (admit/cell_door.h): bounded, its value a JSON object.
// Its other texts are a stranger's: bounded bytes, safe to keep and to show through
// base/printable.h, not to be believed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/ending.h"
#include "model/guest_outcome.h"
#include "model/raw_outcome.h"

namespace airlock {

// The type of the failure of a cell that was ended when its time was up.
inline constexpr std::string_view kTimeoutError = "TimeoutError";
constexpr bool is_timeout(std::string_view error_type) {
  return error_type == kTimeoutError;
}

// How a run that gave no result is told: the error's type and its words.
struct Failure {
  std::string type;
  std::string message;
};

struct CellAnswer {
  bool success = false;
  std::string value;       // of a success, when an object was wanted: JSON
  RawDocument document;    // of a success, when a document was wanted: nobody has read it yet
  Failure failure;         // in words for people when engine/load/read_answer.h has seen it
  std::uint32_t line = 0;  // in the guest's code; 0: nowhere in it
  std::vector<TraceLine> trace;
  std::string output;
  std::string error_output;
  double milliseconds = 0;
  std::vector<Denial> denials;         // one is enough to make a failure of it
  std::vector<Denial> import_denials;  // of modules that were being imported: listed only
  std::optional<Ending> ending;        // the cell is gone
};

// One answer of a bulk job; the views are those of the message.
struct RowAnswer {
  bool success = false;
  std::string_view value;
  std::string_view error_type;
  std::string_view error;
  std::span<const Denial> denials;
};

// What came of a piece of a session, judged.
struct PieceAnswer {
  bool success = false;
  std::optional<std::string> value;  // JSON, on one line
  std::optional<std::string> shown;
  Failure failure;
  std::uint32_t line = 0;
  std::string traceback;
  double milliseconds = 0;
  std::vector<Denial> denials;   // counted by the supervisor; listed, and no failure by themselves
  std::optional<Ending> ending;  // the cell is gone, with all that the session held
};

// A call of a host function, judged.
struct HostCall {
  std::uint32_t number = 0;
  std::string name;       // one of those that were named
  std::string arguments;  // JSON, on one line: {"args": […], "kwargs": {…}}
};

}  // namespace airlock
