// Why a cell gave no outcome. It is gone, whatever the reason: killed by the supervisor (TimedOut,
// Garbled, Flooded), by the kernel (Crashed), or by its own exit (Exited). None of these is an
// Error: hostile or broken code is what the chamber is made for.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "model/guest_outcome.h"

namespace airlock {

// What a cell had written down before it was gone (os/shared_notes.h). The guest's word, but
// bounded and UTF-8.
struct FinalNotes {
  std::vector<Denial> denials;
  std::uint32_t line = 0;  // that was at work when its time was up; 0: none of the guest's
  std::string output;
  std::string error_output;
};

struct TimedOut {
  FinalNotes notes = {};
  bool was_deadline = false;  // of a piece: all its time counted, waiting too
};
// Whoever asked did not want the answer any more, and the guest did not stop when it was told to.
struct Cancelled {
  FinalNotes notes = {};
};
struct Crashed {
  std::uint32_t signal = 0;
  FinalNotes notes = {};
};
struct Exited {
  std::uint32_t code = 0;
  FinalNotes notes = {};
};
// It sent something that is no answer to what it was asked, or more than one, or too much, or
// closed its end and went on.
struct Garbled {
  FinalNotes notes = {};
};
// It was ended because it did not stop asking for what is denied.
struct Flooded {
  std::uint64_t calls = 0;
  FinalNotes notes = {};
};
using Ending = std::variant<TimedOut, Crashed, Exited, Garbled, Flooded, Cancelled>;

// What the cell had written down before it was gone.
inline const FinalNotes& final_notes(const Ending& ending) {
  return std::visit([](const auto& one) -> const FinalNotes& { return one.notes; }, ending);
}

}  // namespace airlock
