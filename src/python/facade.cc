#include "python/facade.h"

#include <cstddef>
#include <string_view>

#include "python/ref.h"

namespace airlock::python {

namespace {

// An object of a type of our own, not a module: a module would let its dict be changed.
struct Face {
  PyObject_HEAD PyObject* attributes;
};

PyObject* face_repr(PyObject* self) {
  PyObject* name = PyDict_GetItemString(reinterpret_cast<Face*>(self)->attributes, "__name__");
  return PyUnicode_FromFormat("<module '%U'>", name);
}

int face_set(PyObject*, PyObject* name, PyObject*) {
  PyErr_Format(PyExc_AttributeError, "modules cannot be changed: '%U'", name);
  return -1;
}

// To be read: dataclasses looks there for what a text such as "typing.ClassVar" means.
PyObject* face_dict(PyObject* self, void*) {
  return PyDictProxy_New(reinterpret_cast<Face*>(self)->attributes);
}

PyGetSetDef kFaceProperties[] = {{"__dict__", face_dict, nullptr, nullptr, nullptr},
                                 {nullptr, nullptr, nullptr, nullptr, nullptr}};

// Made once. Nobody can make another instance or change the type, and there is no garbage
// collection of faces: they never die.
PyObject* face_type() {
  static PyType_Slot slots[] = {{Py_tp_getset, kFaceProperties},
                                {Py_tp_repr, reinterpret_cast<void*>(face_repr)},
                                {Py_tp_setattro, reinterpret_cast<void*>(face_set)},
                                {0, nullptr}};
  static PyType_Spec spec = {
      "airlock.module", sizeof(Face), 0,
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE, slots};
  static PyObject* const type = [] {
    PyObject* made = PyType_FromSpec(&spec);
    // Where an instance keeps its dict: the generic attribute lookup finds our attributes there.
    if (made != nullptr)
      reinterpret_cast<PyTypeObject*>(made)->tp_dictoffset = offsetof(Face, attributes);
    return made;
  }();
  return type;
}

}  // namespace

PyObject* make_facade(const std::string& name) {
  auto* face = PyObject_New(Face, reinterpret_cast<PyTypeObject*>(face_type()));
  if (face == nullptr) return nullptr;
  face->attributes = PyDict_New();
  PyObject* text = PyUnicode_FromString(name.c_str());
  PyDict_SetItemString(face->attributes, "__name__", text);
  Py_XDECREF(text);
  return reinterpret_cast<PyObject*>(face);
}

PyObject* attributes_of_facade(PyObject* face) {
  return reinterpret_cast<Face*>(face)->attributes;
}

namespace {

// The attributes are copied now: what the module gets later does not show.
Result<PyObject*> make_face_of(const Surface& surface) {
  PyObject* module = PyImport_ImportModule(surface.name.c_str());
  if (module == nullptr)
    return bad_request("the policy lists the module " + surface.name +
                       ", which cannot be loaded here: " + take_exception_text());
  PyObject* face = make_facade(surface.name);
  PyObject* attributes = reinterpret_cast<Face*>(face)->attributes;
  const auto copy = [&](PyObject* name) {
    PyObject* value = PyObject_GetAttr(module, name);
    if (value == nullptr) {
      PyErr_Clear();  // listed, but not in this build of the interpreter
      return;
    }
    // A module inside a module (pathlib.os) is never part of a face, even if a policy lists it.
    if (!PyModule_Check(value)) PyDict_SetItem(attributes, name, value);
    Py_DECREF(value);
  };
  for (const std::string& name : surface.attributes) {
    if (name != "*") {
      PyObject* text = PyUnicode_InternFromString(name.c_str());
      copy(text);
      Py_DECREF(text);
      continue;
    }
    PyObject* all = PyObject_Dir(module);
    for (Py_ssize_t i = 0; all != nullptr && i < PyList_GET_SIZE(all); ++i) {
      PyObject* one = PyList_GET_ITEM(all, i);
      if (!text_of(one).starts_with('_')) copy(one);
    }
    Py_XDECREF(all);
  }
  return face;
}

}  // namespace

Result<Facades> Facades::make(const Policy& policy) {
  Facades facades;
  if (face_type() == nullptr) return fail("make the type of the guest's modules");
  for (const auto* list : {&policy.modules, &policy.packages}) {
    for (const Surface& surface : *list) {
      auto face = TRY(make_face_of(surface));
      facades.facades_.emplace(surface.name, face);
    }
  }
  // collections.abc is an attribute of collections; os.path of os.
  for (const auto& [name, face] : facades.facades_) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos) continue;
    const auto outer = facades.facades_.find(name.substr(0, dot));
    if (outer == facades.facades_.end()) continue;
    PyDict_SetItemString(reinterpret_cast<Face*>(outer->second)->attributes, name.c_str() + dot + 1,
                         face);
  }
  // strptime(), in C, imports this through the builtins of whoever calls it, and then takes the
  // real one: an empty face is enough.
  facades.facades_.emplace("_strptime", make_facade("_strptime"));
  return facades;
}

PyObject* Facades::find(const std::string& name, bool wants_inner) const {
  if (!facades_.contains(name)) return nullptr;
  const auto found = facades_.find(wants_inner ? name : name.substr(0, name.find('.')));
  return found == facades_.end() ? nullptr : found->second;
}

}  // namespace airlock::python
