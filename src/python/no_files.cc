// A guarded class is a plain one with operations on files added: PurePath and Path. Whatever the
// added part defines, private or not, is replaced by a function that asks nobody and raises what
// Python raises where something is not permitted. Special methods make and print the objects; they
// stay.
#include <algorithm>
#include <string>
#include <string_view>

#include "python/ref.h"
#include "python/restrict_interpreter.h"

namespace airlock::python {

namespace {

// Called as a method or on the class, with any arguments.
PyObject* raise_refusal(PyObject* words, PyObject*, PyObject*) {
  PyErr_SetObject(PyExc_PermissionError, words);
  return nullptr;
}

// The function's `self` is the text to raise, so each refusal has its own words.
PyMethodDef kRefuseFile = {
    "there_are_no_files_here",
    reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(raise_refusal)),
    METH_VARARGS | METH_KEYWORDS, nullptr};

std::string words_for(const Surface& surface, const std::string& name) {
  const std::string short_name = surface.name.substr(surface.name.rfind('.') + 1);
  std::string words = "there are no files here: " + short_name + "." + name;
  const auto row = std::ranges::find(surface.refused, name, &Refusal::name);
  if (row == surface.refused.end()) return words;
  words += ": " + row->why;
  if (!row->instead.empty()) words += "; " + row->instead;
  return words;
}

bool is_special(std::string_view name) {
  return name.starts_with("__") && name.ends_with("__");
}

// Whether a class above that is not guarded itself has it: then it is a plain one's.
bool is_plain(const Policy& policy, PyTypeObject* type, PyObject* name) {
  // tp_mro begins with the class itself, then all that it inherits from.
  for (Py_ssize_t i = 1; i < PyTuple_GET_SIZE(type->tp_mro); ++i) {
    auto* base = reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(type->tp_mro, i));
    const bool is_guarded = std::ranges::any_of(policy.classes, [&](const Surface& surface) {
      // tp_name of a class that was defined in Python has no module in front.
      return surface.name.ends_with(std::string(".") + base->tp_name);
    });
    if (!is_guarded && PyDict_Contains(base->tp_dict, name) == 1) return true;
  }
  return false;
}

// Everything that the class itself defines and neither the policy lists nor a plain class has.
bool refuse_in(const Policy& policy, const Surface& surface, PyTypeObject* type) {
  const Ref names(PyDict_Keys(type->tp_dict));
  if (!names) return false;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(names.get()); ++i) {
    PyObject* name = PyList_GET_ITEM(names.get(), i);
    const std::string text(text_of(name));
    const bool is_allowed = std::ranges::find(surface.attributes, text) != surface.attributes.end();
    if (is_allowed || is_special(text) || is_plain(policy, type, name)) continue;
    const std::string words = words_for(surface, text);
    const Ref message(
        PyUnicode_FromStringAndSize(words.data(), static_cast<Py_ssize_t>(words.size())));
    const Ref refusal(message ? PyCFunction_New(&kRefuseFile, message.get()) : nullptr);
    // PyObject_SetAttr and not the dict: these are ordinary classes, and their caches follow.
    if (!refusal || PyObject_SetAttr(reinterpret_cast<PyObject*>(type), name, refusal.get()) != 0)
      return false;
  }
  return true;
}

}  // namespace

Result<void> refuse_files(const Policy& policy) {
  for (const Surface& surface : policy.classes) {
    const std::size_t dot = surface.name.rfind('.');
    if (dot == std::string::npos) continue;
    PyObject* module =
        PyDict_GetItemString(PyImport_GetModuleDict(), surface.name.substr(0, dot).c_str());
    if (module == nullptr) continue;
    const Ref type(PyObject_GetAttrString(module, surface.name.c_str() + dot + 1));
    const bool is_done = type && PyType_Check(type.get()) &&
                         refuse_in(policy, surface, reinterpret_cast<PyTypeObject*>(type.get()));
    PyErr_Clear();
    if (!is_done) return fail("take the files from " + surface.name);
  }
  return {};
}

}  // namespace airlock::python
