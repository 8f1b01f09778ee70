#include "python/prune.h"

#include <string_view>

#include "python/frames.h"

namespace airlock::python {

namespace {

struct Door {
  PyTypeObject* type;
  const char* attribute;
  const char* why;
};

// CPython announces every use of a code object and every function made from one.
int refuse_code_objects(const char* event, PyObject*, void* filename) {
  const std::string_view name = event;
  const bool is_about_code = name == "object.__getattr__" || name == "object.__setattr__" ||
                             name == "object.__delattr__" || name == "function.__new__" ||
                             name == "code.__new__";
  if (!is_about_code || airlock_guest_is_innermost(filename) == 0) return 0;
  PyErr_SetString(PyExc_AttributeError, "code objects may not be used");
  return -1;
}

}  // namespace

Result<void> prune_types(PyObject* filename) {
  const Door doors[] = {
      {&PyFunction_Type, "__globals__", "the module of any library function"},
      {&PyFunction_Type, "__closure__", "the variables of any function"},
      {&PyFunction_Type, "__builtins__", "the real builtins"},
      {&PyCell_Type, "cell_contents", "the variables of any function"},
      {&PyGen_Type, "gi_frame", "frames lead to every module"},
      {&PyGen_Type, "gi_code", "code objects"},
      {&PyGen_Type, "gi_yieldfrom", "frames of others"},
      {&PyCoro_Type, "cr_frame", "frames lead to every module"},
      {&PyCoro_Type, "cr_code", "code objects"},
      {&PyAsyncGen_Type, "ag_frame", "frames lead to every module"},
      {&PyAsyncGen_Type, "ag_code", "code objects"},
      {&PyTraceBack_Type, "tb_frame", "frames lead to every module"},
      {&PyFrame_Type, "f_back", "the frames of the runner"},
      {&PyFrame_Type, "f_builtins", "the real builtins"},
      {&PyType_Type, "__subclasses__", "every class in the process"},
  };
  for (const Door& door : doors) {
    if (PyDict_DelItemString(door.type->tp_dict, door.attribute) != 0) {
      PyErr_Clear();
      return fail(std::string("take ") + door.attribute + " off the interpreter's types");
    }
    PyType_Modified(door.type);
  }
  if (PySys_AddAuditHook(refuse_code_objects, filename) != 0)
    return fail("watch the use of code objects");
  return {};
}

}  // namespace airlock::python
