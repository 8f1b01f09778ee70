// Python of ours that runs inside airlock-host, compiled when the program was built: the host of
// code nodes (library/airlock_node/*.py) and sessions (library/airlock_session/*.py).
#pragma once

#include <cstddef>
#include <span>

#include "base/result.h"

namespace airlock::python {

struct CompiledModule {
  const char* name;  // "airlock_node.host"
  std::size_t size;
  const char* compiled;  // in marshal's format
};

// Each in an order in which one can be loaded after those before it.
std::span<const CompiledModule> node_modules();
std::span<const CompiledModule> session_modules();

// Puts them all into sys.modules, in a process whose code is the user's own: they keep the builtins
// of now, whatever code puts in their place.
Result<void> load_modules(std::span<const CompiledModule> modules);

// From here on `import` finds them, as it finds those of the standard library that are carried.
void carry_modules(std::span<const CompiledModule> modules);

}  // namespace airlock::python
