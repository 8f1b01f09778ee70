// What a node host needs of CPython: its interpreter, and a code node's text → what runs. The
// user's own code runs there without walls; nothing is judged here.
#pragma once

#include "base/result.h"
#include "python/tree.h"

namespace airlock::python {

// As `python3` would start here, with the user's environment and installed packages: the opposite
// of python/tree.h's Interpreter, which is isolated. For the life of the process.
Result<void> start_node_interpreter();

// The code, and the types that its module level declares, from one reading by the interpreter's own
// parser. library/airlock_node/reading.py says the same in Python.
// New: a tuple (code object, dict of name → declared type as text). Null with an exception set:
// SyntaxError, or what the parser raises when it gives up. `source` and `filename` are str.
PyObject* read_node_code(PyObject* source, PyObject* filename);

}  // namespace airlock::python
