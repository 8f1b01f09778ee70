// What is done to the interpreter in the zygote, once, before it forks the first cell. The kernel
// relies on none of it: these are second walls, for code that the scan let through or never saw.
#pragma once

#include <unordered_set>

#include "base/result.h"
#include "model/policy.h"
#include "python/facade.h"
#include "python/tree.h"

namespace airlock::python {

// Memory errors of CPython 3.11 that pure Python can bring about, patched in this process. Each one
// lets code without native access read or write the memory of its cell, and so get at what the cell
// keeps for itself.
//
// Once, before any guest code runs.
Result<void> patch_interpreter();

// Classes that the policy guards, such as pathlib.Path, keep what it allows; what else they offer
// says that there are no files here, and what to use instead.
//
// For this whole process. After the modules are loaded.
Result<void> refuse_files(const Policy& policy);

using Types = std::unordered_set<PyTypeObject*>;

// Removes the attributes of builtin types that lead into the interpreter (frames, globals, code
// objects), for this whole process. The scan refuses them by name; here they are gone, so that code
// that was never scanned does not find them either.
//
// After everything is loaded: some libraries look at these while they are imported. `known` are the
// classes that the guest has by name: of all that exist now, __subclasses__() lists no others.
Result<void> prune_types(const Types& known);

// What a cell holds: what the policy grants, and of the rest only what granted library code needs
// while it works. Everything else that the interpreter came with is taken away in the zygote, so
// that a hole in the scan leads to nothing that can be held.
//
// The last thing that is done to the interpreter: afterwards nothing can be imported, compiled or
// opened in this process, by anyone. `builtins` is the guest's own dict of them.
Result<void> remove_ungranted(const Policy& policy, const Facades& facades, PyObject* builtins);

}  // namespace airlock::python
