// Takes the doors that lead into the interpreter off the builtin types, for this whole process. The
// scan refuses them by name; here they are gone, so that code that was never scanned does not find
// them either. The kernel does not rely on it.
#pragma once

#include <unordered_set>

#include "base/result.h"
#include "python/tree.h"

namespace airlock::python {

using Types = std::unordered_set<PyTypeObject*>;

// After everything is loaded: some libraries look at these while they are imported. `known` are the
// classes that the guest has by name: of all that exist now, __subclasses__() lists no others.
Result<void> prune_types(const Types& known);

}  // namespace airlock::python
