// Secrets must not reach a disk by way of a crash: whoever reads an API key into memory calls this
// first (llm/settings.cc).
#pragma once

namespace airlock::os {

// From now on this process leaves no core, neither in a file nor in the pipe of a collector. Its
// children can allow themselves one again.
void forbid_core_dumps();

}  // namespace airlock::os
