// Nothing here asks who is calling. A guard that looks at frames can be led: guest code hands a
// lazy map(), a bound method or a descriptor to the library, whose frame is then the innermost one.
// So what a guest must not have is taken away from everyone, or answers everyone in a way that does
// no harm, and library code that needs it is given its own private means
// (python/restrict_interpreter.h).
#include <string>
#include <vector>

#include "python/ref.h"
#include "python/restrict_interpreter.h"

namespace airlock::python {

namespace {

// An attribute of a builtin type by which code can reach what was not given to it.
struct EscapeRoute {
  PyTypeObject* type;
  const char* attribute;
  const char* why;
};

Result<void> remove_escape_routes() {
  const EscapeRoute routes[] = {
      {&PyFunction_Type, "__globals__", "the module of any library function"},
      {&PyFunction_Type, "__closure__", "the variables of any function"},
      {&PyFunction_Type, "__builtins__", "the library's builtins"},
      {&PyFunction_Type, "__code__", "code objects, to read and to put in another's place"},
      {&PyFunction_Type, "__new__", "functions from code objects"},
      {&PyCode_Type, "__new__", "code that no compiler made"},
      {&PyCode_Type, "replace", "code that no compiler made"},
      {&PyCell_Type, "cell_contents", "the variables of any function"},
      {&PyGen_Type, "gi_frame", "frames lead to every module"},
      {&PyGen_Type, "gi_code", "code objects"},
      {&PyGen_Type, "gi_yieldfrom", "frames of others"},
      {&PyCoro_Type, "cr_frame", "frames lead to every module"},
      {&PyCoro_Type, "cr_code", "code objects"},
      {&PyAsyncGen_Type, "ag_frame", "frames lead to every module"},
      {&PyAsyncGen_Type, "ag_code", "code objects"},
      {&PyTraceBack_Type, "tb_frame", "frames lead to every module"},
      {&PyTraceBack_Type, "__new__", "frames"},
      {&PyFrame_Type, "f_back", "the frames of the runner"},
      {&PyFrame_Type, "f_builtins", "the library's builtins"},
  };
  for (const EscapeRoute& route : routes) {
    // Straight from tp_dict: Python code cannot change builtin types, C code can.
    if (PyDict_DelItemString(route.type->tp_dict, route.attribute) != 0) {
      PyErr_Clear();
      return fail(std::string("take ") + route.attribute + " off the interpreter's types");
    }
    PyType_Modified(route.type);
  }
  // The interpreter makes its own functions and code without these.
  // The slot is what a call of the type uses; deleting __new__ alone would not stop that.
  for (PyTypeObject* type : {&PyFunction_Type, &PyCode_Type, &PyTraceBack_Type})
    type->tp_new = nullptr;
  return {};
}

// len.__self__ is the module that len belongs to, and with it all that the module holds. Methods
// still tell whose they are: [].append.__self__ is the list.
PyObject* guarded_self(PyObject* function, void*) {
  PyObject* self = PyCFunction_GET_SELF(function);
  if (self == nullptr || PyModule_Check(self)) Py_RETURN_NONE;
  return Py_NewRef(self);
}

// AttributeError.obj is what was looked at: in the library, a module perhaps. The interpreter sets
// it on every such exception, so it takes what it is given and forgets it.
PyObject* nothing(PyObject*, void*) {
  Py_RETURN_NONE;
}

int forget(PyObject*, PyObject*, void*) {
  return 0;
}

PyGetSetDef kObject = {"obj", nothing, forget, nullptr, nullptr};

PyGetSetDef kSelf = {"__self__", guarded_self, nullptr, nullptr, nullptr};

// type.__subclasses__ leads to every class in the process; isinstance(x, Mapping) needs it, because
// abstract classes ask their subclasses, and so does singledispatch. A class that nobody here has
// an instance of is not missed in the answer.
// Both are kept for the life of the process.
PyObject* real_subclasses = nullptr;
Types* hidden = nullptr;

// A class that is made later, by the guest, is not in `hidden` and so is listed.
PyObject* known_subclasses(PyObject* self, PyObject*) {
  const Ref all(PyObject_CallOneArg(real_subclasses, self));
  if (!all) return nullptr;
  Ref known(PyList_New(0));
  if (!known) return nullptr;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(all.get()); ++i) {
    PyObject* one = PyList_GET_ITEM(all.get(), i);
    if (hidden->contains(reinterpret_cast<PyTypeObject*>(one))) continue;
    if (PyList_Append(known.get(), one) != 0) return nullptr;
  }
  return Py_NewRef(known.get());
}

PyMethodDef kSubclasses = {"__subclasses__", known_subclasses, METH_NOARGS, nullptr};

// Every class that exists and is not known. They are kept, so that no later one has the address of
// an earlier one.
bool hide_all_but(const Types& known) {
  hidden = new Types();
  // Every class descends from object, so this walk finds all of them.
  std::vector<PyTypeObject*> to_visit{&PyBaseObject_Type};
  Types seen;
  while (!to_visit.empty()) {
    PyTypeObject* type = to_visit.back();
    to_visit.pop_back();
    if (!seen.insert(type).second) continue;
    if (!known.contains(type)) hidden->insert(type);
    Py_INCREF(type);
    const Ref below(PyObject_CallOneArg(real_subclasses, reinterpret_cast<PyObject*>(type)));
    if (!below) return false;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(below.get()); ++i)
      to_visit.push_back(reinterpret_cast<PyTypeObject*>(PyList_GET_ITEM(below.get(), i)));
  }
  return true;
}

bool put_into(PyTypeObject& type, const char* name, PyObject* made) {
  const Ref descriptor(made);
  if (!descriptor || PyDict_SetItemString(type.tp_dict, name, descriptor.get()) != 0) return false;
  PyType_Modified(&type);
  return true;
}

}  // namespace

Result<void> prune_types(const Types& known) {
  TRY(remove_escape_routes());
  real_subclasses = PyDict_GetItemString(PyType_Type.tp_dict, "__subclasses__");
  Py_XINCREF(real_subclasses);
  auto& attribute_error = *reinterpret_cast<PyTypeObject*>(PyExc_AttributeError);
  const bool is_done =
      real_subclasses != nullptr && hide_all_but(known) &&
      put_into(PyType_Type, "__subclasses__", PyDescr_NewMethod(&PyType_Type, &kSubclasses)) &&
      put_into(PyCFunction_Type, "__self__", PyDescr_NewGetSet(&PyCFunction_Type, &kSelf)) &&
      put_into(attribute_error, "obj", PyDescr_NewGetSet(&attribute_error, &kObject));
  PyErr_Clear();
  if (!is_done) return fail("guard what the interpreter's types tell");
  return {};
}

}  // namespace airlock::python
