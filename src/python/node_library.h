// The Python side of code nodes: library/airlock_node/*.py, compiled when the program was built.
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
