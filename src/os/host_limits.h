// The limits that a shell, a service manager or a container has set for this process (ulimit), held
// against what our programs need to start at all. Worth asking when a start has failed: the error
// of the kernel says what was refused, and rarely by whom.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace airlock::os {

// "open files: 16 (ulimit -n), where at least 64 are needed", one for each that is too low: for any
// start, or for what has failed with this `error` ("fork a cell: Resource temporarily
// unavailable").
std::vector<std::string> limits_too_low(std::string_view error);

}  // namespace airlock::os
