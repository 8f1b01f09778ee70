// The interpreter of a node host: as `python3` would start here, with the user's environment and
// installed packages.
// The opposite of python/tree.h's Interpreter, which is isolated: nodes are code that the user
// trusts, and expect their packages.
#pragma once

#include "base/result.h"

namespace airlock::python {

// For the life of the process.
Result<void> start_node_interpreter();

}  // namespace airlock::python
