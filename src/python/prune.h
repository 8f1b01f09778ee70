// Takes the doors that lead into the interpreter off the builtin types, for this whole process. The
// scan refuses them by name; here they are gone, so that code that was never scanned does not find
// them either. The kernel does not rely on it.
#pragma once

#include "base/result.h"
#include "python/tree.h"

namespace airlock::python {

// After everything is loaded: some libraries look at these while they are imported. Code objects
// stay, because the library itself needs them (dataclasses ask for signatures), but code whose file
// is `filename` may not touch them.
Result<void> prune_types(PyObject* filename);

}  // namespace airlock::python
