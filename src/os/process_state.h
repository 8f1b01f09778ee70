// Whether a process that is not our child has been stopped by a signal.
#pragma once

#include <chrono>

namespace airlock::os {

// Looks at the process behind the pidfd until it is stopped, or gone (false), or the time is up
// (false).
bool is_stopped_within(int pidfd, std::chrono::milliseconds time);

}  // namespace airlock::os
