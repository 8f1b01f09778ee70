#include "python/compiled_library.h"

#include <cstring>
#include <string>
#include <vector>

#include "python/ref.h"
// After Python.h, which it needs.
#include <marshal.h>

namespace airlock::python {

namespace {

// Ours see the builtins as they are now, whatever a node puts in their place.
Ref copy_builtins() {
  return Ref(PyDict_Copy(PyEval_GetBuiltins()));
}

bool load(const CompiledModule& module, PyObject* builtins) {
  const Ref code(
      PyMarshal_ReadObjectFromString(module.compiled, static_cast<Py_ssize_t>(module.size)));
  if (!code || !PyCode_Check(code.get())) return false;
  PyObject* made = PyImport_AddModule(module.name);  // borrowed
  if (made == nullptr ||
      PyDict_SetItemString(PyModule_GetDict(made), "__builtins__", builtins) != 0)
    return false;
  const std::string_view name = module.name;
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) {
    // A package: what is inside is found in sys.modules, and nowhere on disk.
    const Ref package(PyImport_ExecCodeModule(module.name, code.get()));
    const Ref no_folders(PyList_New(0));
    return package && PyObject_SetAttrString(package.get(), "__path__", no_folders.get()) == 0;
  }
  const Ref loaded(PyImport_ExecCodeModule(module.name, code.get()));
  if (!loaded) return false;
  const Ref package(PyImport_ImportModule(std::string(name.substr(0, dot)).c_str()));
  return package && PyObject_SetAttrString(package.get(), std::string(name.substr(dot + 1)).c_str(),
                                           loaded.get()) == 0;
}

}  // namespace

Result<void> load_modules(std::span<const CompiledModule> modules) {
  const Ref builtins = copy_builtins();
  for (const CompiledModule& module : modules) {
    if (builtins && load(module, builtins.get())) continue;
    if (PyErr_Occurred() != nullptr) PyErr_Clear();
    return fail(std::string("load the module ") + module.name);
  }
  return {};
}

void carry_modules(std::span<const CompiledModule> modules) {
  static std::vector<struct _frozen> rows;  // for the life of the process, as CPython's own are
  rows.clear();
  const struct _frozen* row = PyImport_FrozenModules;
  for (; row != nullptr && row->name != nullptr; ++row) rows.push_back(*row);
  for (const CompiledModule& module : modules)
    rows.push_back({.name = module.name,
                    .code = reinterpret_cast<const unsigned char*>(module.compiled),
                    .size = static_cast<int>(module.size),
                    .is_package = std::strchr(module.name, '.') == nullptr ? 1 : 0,
                    .get_code = nullptr});
  rows.push_back({});
  PyImport_FrozenModules = rows.data();
}

}  // namespace airlock::python
