// Memory errors of CPython 3.11 that pure Python can bring about, mended in this process. Each one
// lets code without native access read or write the memory of its cell, and so get at what the cell
// keeps for itself. The kernel does not rely on it.
#pragma once

#include "base/result.h"

namespace airlock::python {

// Once, before any guest code runs.
Result<void> patch_interpreter();

}  // namespace airlock::python
