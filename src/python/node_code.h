// A code node's text → what runs, and the types that its module level declares, from one reading by
// the interpreter's own parser. library/airlock_node/reading.py says the same in Python.
// For node hosts, where the user's own code runs without walls; nothing is judged here.
#pragma once

#include "python/tree.h"

namespace airlock::python {

// New: a tuple (code object, dict of name → declared type as text). Null with an exception set:
// SyntaxError, or what the parser raises when it gives up. `source` and `filename` are str.
PyObject* read_node_code(PyObject* source, PyObject* filename);

}  // namespace airlock::python
