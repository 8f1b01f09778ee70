// What a cell holds: what the policy grants, and of the rest only what granted library code needs
// while it works. Everything else that the interpreter came with is taken away in the zygote, so
// that a hole in the scan leads to nothing that can be held. The kernel does not rely on it.
#pragma once

#include "base/result.h"
#include "model/policy.h"
#include "python/facade.h"

namespace airlock::python {

// The last thing that is done to the interpreter: afterwards nothing can be imported, compiled or
// opened in this process, by anyone. `builtins` is the guest's own dict of them.
Result<void> remove_ungranted(const Policy& policy, const Facades& facades, PyObject* builtins);

}  // namespace airlock::python
