// One running interpreter for all tests of a program.
#pragma once

#include "python/tree.h"

namespace airlock::python::test {

inline void start_interpreter() {
  static const auto interpreter = Interpreter::start().value().release();
  static_cast<void>(interpreter);
}

}  // namespace airlock::python::test
