// What is killed with SIGKILL cannot clean up behind itself. A guard is a small process that does
// it: it belongs to a process group, sleeps until another process is gone, and then ends the whole
// group.
//
// Used where user code runs that may start processes of its own (guest/node_host.cc): should
// airlock be killed, the guard ends what is left of that group.
#pragma once

#include <cstdint>

#include "base/fd.h"
#include "base/result.h"

namespace airlock::os {

// What the guard is made of: this process as it is now, which is fine while it is small; or this
// program started anew (with the role "guard" and the handle as descriptor 3), so that nothing of a
// large process is held on to.
enum class GuardImage : std::uint8_t { kThisProcess, kThisProgram };

// A guard for the group of this process. `watched`: a pidfd. It is no child of this process (code
// that waits for its children does not find it), and goes with the group when somebody kills that.
Result<void> start_group_guard(const Fd& watched, GuardImage image);

// The guard itself. Does not return.
[[noreturn]] void guard_group(Fd watched);

}  // namespace airlock::os
