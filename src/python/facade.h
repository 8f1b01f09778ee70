// What a guest's import gives: not the module, but a face of it with the policy's attributes and
// nothing else. So even code that was never scanned finds no os behind pathlib, and what it writes
// to a "module" reaches no one.
//
// The real modules stay loaded: library functions reach them through their own globals. A face and
// its attributes are made once in the zygote and live as long as the process.
#pragma once

#include <string>
#include <unordered_map>

#include "base/result.h"
#include "model/policy.h"
#include "python/tree.h"

namespace airlock::python {

// A module of this name with no attribute yet (new; null when memory has run out), and the dict of
// its attributes (borrowed).
PyObject* make_facade(const std::string& name);
PyObject* attributes_of_facade(PyObject* face);

class Facades {
 public:
  // Every module and package of the policy; the real modules are loaded by it.
  static Result<Facades> make(const Policy& policy);

  // As __import__ does it: `import a.b` binds a, `from a.b import c` needs a.b. Borrowed; null when
  // it is not listed.
  PyObject* find(const std::string& name, bool wants_inner) const;

  // By name; the faces are borrowed.
  const std::unordered_map<std::string, PyObject*>& all() const { return facades_; }

 private:
  std::unordered_map<std::string, PyObject*> facades_;  // kept for the life of the process
};

}  // namespace airlock::python
