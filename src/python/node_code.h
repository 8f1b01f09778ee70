// What code nodes need of CPython: the interpreter of a node host, where the user's own code runs
// without walls; what cells of nodes have instead; and a node's text → what runs. Nothing is judged
// here.
#pragma once

#include "base/result.h"
#include "python/tree.h"

namespace airlock::python {

// As `python3` would start here, with the user's environment and installed packages: the opposite
// of python/tree.h's Interpreter, which is isolated. For the life of the process.
Result<void> start_node_interpreter();

// In a zygote, once, before it makes cells: loads library/airlock_node and all that running a node
// needs. What only strict types and checks need is loaded when it is asked for.
Result<void> load_node_runtime();

// The code, and the types that its module level declares, from one reading by the interpreter's own
// parser. library/airlock_node/reading.py says the same in Python.
// New: a tuple (code object, dict of name → declared type as text). Null with an exception set:
// SyntaxError, or what the parser raises when it gives up. `source` and `filename` are str.
PyObject* read_node_code(PyObject* source, PyObject* filename);
// The same as a method of a module: (source, filename).
PyObject* read_node_code_method(PyObject* module, PyObject* arguments);

}  // namespace airlock::python
