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

// type.__subclasses__ leads to every class in the process, but isinstance(x, Mapping) needs it:
// abstract classes ask their subclasses, from a frame of abc.py and without handing the list out.
PyObject* real_subclasses = nullptr;

PyObject* guarded_subclasses(PyObject* self, PyObject*) {
  static PyObject* const abc = PyUnicode_InternFromString("<frozen abc>");
  if (airlock_guest_is_innermost(abc) != 0) return PyObject_CallOneArg(real_subclasses, self);
  return PyErr_Format(PyExc_AttributeError,
                      "type object '%.100s' has no attribute '__subclasses__'",
                      reinterpret_cast<PyTypeObject*>(self)->tp_name);
}

PyMethodDef kSubclasses = {"__subclasses__", guarded_subclasses, METH_NOARGS, nullptr};

Result<void> guard_subclasses() {
  real_subclasses = PyDict_GetItemString(PyType_Type.tp_dict, "__subclasses__");
  Py_XINCREF(real_subclasses);
  PyObject* guarded = PyDescr_NewMethod(&PyType_Type, &kSubclasses);
  const bool is_set = real_subclasses != nullptr && guarded != nullptr &&
                      PyDict_SetItemString(PyType_Type.tp_dict, "__subclasses__", guarded) == 0;
  Py_XDECREF(guarded);
  PyErr_Clear();
  PyType_Modified(&PyType_Type);
  if (!is_set) return fail("guard __subclasses__ of the interpreter's types");
  return {};
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
  };
  for (const Door& door : doors) {
    if (PyDict_DelItemString(door.type->tp_dict, door.attribute) != 0) {
      PyErr_Clear();
      return fail(std::string("take ") + door.attribute + " off the interpreter's types");
    }
    PyType_Modified(door.type);
  }
  TRY(guard_subclasses());
  if (PySys_AddAuditHook(refuse_code_objects, filename) != 0)
    return fail("watch the use of code objects");
  return {};
}

}  // namespace airlock::python
