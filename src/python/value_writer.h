// A guest's value as JSON. Hostile objects are read, never asked: dicts, lists, strings and numbers
// through CPython's own storage, so that no method of a subclass is called, and everything else is
// refused by its type's name.
//
// The macros of CPython's C API that are used here (PyList_GET_ITEM, PyDict_Next …) read the fields
// of the base type, also in an object of a subclass; so nothing of the guest runs while a container
// is being read, and nothing can change under us.
#pragma once

#include <cstddef>
#include <expected>
#include <string>

#include "python/tree.h"

namespace airlock::python {

struct ValueLimits {
  std::size_t bytes = 1024 * 1024;
  int depth = 64;
  std::size_t key_bytes = 1024;
  bool has_plain_keys = true;  // keys become columns: no line end in them
};

struct ValueProblem {
  enum class Kind { kNotJson, kTooLarge, kTooDeep } kind = Kind::kNotJson;
  std::string message;  // "result['when'] is a datetime, which is not JSON: use .isoformat()"
};

// `value` must be a dict (or a subclass of one).
std::expected<std::string, ValueProblem> write_value(PyObject* value, const ValueLimits& limits);

}  // namespace airlock::python
