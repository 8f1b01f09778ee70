// The limits that the kernel holds this process to (ulimit): those that a shell, a service manager
// or a container has set, and the one that it sets itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace airlock::os {

// Held against what our programs need to start at all; worth asking when a start has failed: the
// error of the kernel says what was refused, and rarely by whom.
// "open files: 16 (ulimit -n), where at least 64 are needed", one for each that is too low: for any
// start, or for what has failed with this `error` ("fork a cell: Resource temporarily
// unavailable").
std::vector<std::string> limits_too_low(std::string_view error);

// Secrets must not reach a disk by way of a crash: whoever reads an API key into memory calls this
// first (llm/settings.cc). From now on this process leaves no core, neither
// in a file nor in the pipe of a collector. Its children can allow themselves one again.
void forbid_core_dumps();

}  // namespace airlock::os
