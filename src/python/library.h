// The Python modules that code inside may import from airlock: library/airlock/*.py and
// python/airlock/probe.py, built into the program as text by the build, because a cell has no
// files. library_modules() is generated.
#pragma once

#include <span>

#include "base/result.h"

namespace airlock::python {

struct LibraryModule {
  const char* name;  // "airlock.probe"
  const char* source;
};

// In an order in which each can be loaded after those before it.
std::span<const LibraryModule> library_modules();

// Puts them all into sys.modules.
Result<void> load_library();

}  // namespace airlock::python
