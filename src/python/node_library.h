// The Python side of code nodes: library/airlock_node/*.py, compiled when the program was built, so
// that a host starts without parsing them. The same CPython must read the code that wrote it
// (marshal's format follows the version). node_modules() is generated.
#pragma once

#include <cstddef>
#include <span>

#include "base/result.h"

namespace airlock::python {

struct NodeModule {
  const char* name;  // "airlock_node.host"
  std::size_t size;
  const char* compiled;  // in marshal's format
};

// In an order in which each can be loaded after those before it.
std::span<const NodeModule> node_modules();

// Puts them all into sys.modules.
Result<void> load_node_library();

}  // namespace airlock::python
