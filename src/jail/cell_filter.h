// The system calls of a cell, as one table with a reason in each row, and the seccomp program made
// from it. What becomes of a call that is not in the table depends on who could hide it: from code
// without native access it raises SIGSYS, which the cell's handler turns into "not permitted" and a
// note; a call of native code waits until the supervisor has counted and refused it. Other
// architectures' numbers, x32's included, end the process.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "jail/seccomp_filter.h"

namespace airlock::jail {

enum class Calls {
  kPureText,  // memory, clocks, sleep and the cell's socket (descriptor 0)
  kProgram,   // and what a program asks of itself: reading what its root holds, waiting, who it is
  kProbe,     // and writing files and folders, wherever its root lets it
};

Result<SeccompFilter> make_cell_filter(Calls calls);

// The kernel's name for a system call of this machine: "openat"; "call 999" for an unknown one.
std::string call_name(std::uint32_t number);

}  // namespace airlock::jail
