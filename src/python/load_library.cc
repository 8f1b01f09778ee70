#include <string>

#include "python/library.h"
#include "python/ref.h"

namespace airlock::python {

namespace {

bool load(const LibraryModule& module) {
  const std::string file = "<" + std::string(module.name) + ">";
  const Ref code(Py_CompileString(module.source, file.c_str(), Py_file_input));
  if (!code) return false;
  // Runs the code as the body of a new module and puts that into sys.modules.
  const Ref loaded(PyImport_ExecCodeModule(module.name, code.get()));
  if (!loaded) return false;
  const std::string_view name = module.name;
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) {
    // A package: what is inside is found in sys.modules, and nowhere on disk.
    const Ref no_folders(PyList_New(0));
    return PyObject_SetAttrString(loaded.get(), "__path__", no_folders.get()) == 0;
  }
  const Ref package(PyImport_ImportModule(std::string(name.substr(0, dot)).c_str()));
  return package && PyObject_SetAttrString(package.get(), std::string(name.substr(dot + 1)).c_str(),
                                           loaded.get()) == 0;
}

}  // namespace

Result<void> load_library() {
  for (const LibraryModule& module : library_modules()) {
    if (load(module)) continue;
    PyErr_Clear();
    return fail(std::string("load the module ") + module.name);
  }
  return {};
}

}  // namespace airlock::python
