// A shared object is loaded from a file in memory, by its name below /proc/self/fd. (1) The dynamic
// linker takes two files of one name for one library, so no descriptor's number is used twice. (2)
// The file is closed again at once: what is mapped stays, and no cell inherits a descriptor. (3)
// Each is started at most once, by `import`; CPython keeps what a built-in module has become.
#include "python/frozen_library.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/fd.h"
#include "os/write_all.h"
#include "python/ref.h"

namespace airlock::python {

namespace {

Result<Fd> file_in_memory(const NativeModule& module) {
  Fd made(::memfd_create(module.name, MFD_CLOEXEC));
  if (!made.is_open()) return fail_errno("make a file in memory");
  const int error = os::write_all(
      made.get(), {reinterpret_cast<const char*>(module.bytes.data()), module.bytes.size()});
  if (error != 0) return fail(std::string("fill a file in memory: ") + std::strerror(error));
  static int last_number = 0;
  Fd numbered(::fcntl(made.get(), F_DUPFD_CLOEXEC, last_number + 1));
  if (!numbered.is_open()) return fail_errno("give a file in memory a number of its own");
  last_number = numbered.get();
  return numbered;
}

using Start = PyObject* (*)();

Result<Start> find_start(const NativeModule& module) {
  const Fd file = TRY(file_in_memory(module));
  const std::string path = "/proc/self/fd/" + std::to_string(file.get());
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const start = library == nullptr
                          ? nullptr
                          : ::dlsym(library, (std::string("PyInit_") + module.name).c_str());
  if (start == nullptr) {
    const char* const words = ::dlerror();
    return fail(words != nullptr ? words : "it has no beginning");
  }
  return reinterpret_cast<Start>(start);
}

bool run_text(const char* code, PyObject* globals) {
  PyDict_SetItemString(globals, "__builtins__", PyEval_GetBuiltins());
  const Ref done(PyRun_String(code, Py_file_input, globals, globals));
  PyErr_Clear();
  return static_cast<bool>(done);
}

// As the interpreter of the host has it. With a folder of the library, frozen modules have a
// __file__, and packages a folder in which modules that are not carried may be found; those that
// were loaded before get theirs here.
constexpr const char* kSearchHost = R"(
import sys
from _frozen_importlib import FrozenImporter
sys._stdlib_dir = folder
for module in list(sys.modules.values()):
    spec = getattr(module, '__spec__', None)
    if spec is None or spec.loader is not FrozenImporter or getattr(spec.loader_state, 'filename', '') is not None:
        continue
    state = spec.loader_state
    state.filename, package = FrozenImporter._resolve_filename(state.origname, spec.name, hasattr(module, '__path__'))
    module.__file__ = state.filename
    if package and package not in module.__path__:
        module.__path__.insert(0, package)
major, minor = sys.version_info[:2]
sys.path += [one for one in (folder.rpartition('/')[0] + f'/python{major}{minor}.zip', folder, folder + '/lib-dynload')
             if one not in sys.path]
class NotCarried:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name in libraries:
            raise ModuleNotFoundError(
                f'No module named {name!r}: airlock-host does not carry it, because it needs {libraries[name]}; '
                f'it is there where Python {major}.{minor} is installed, in {folder}/lib-dynload', name=name)
sys.meta_path.append(NotCarried)
import _imp, posix
try:
    files = set(posix.listdir(folder + '/lib-dynload'))
except OSError:
    files = set()
installed = {name for name in carried if name + _imp.extension_suffixes()[0] in files}
)";

// A built-in module is found before any file. Those that were started before stay as they are.
void drop_starts(PyObject* names) {
  struct _inittab* kept = PyImport_Inittab;
  for (const struct _inittab* row = kept; row->name != nullptr; ++row) {
    const Ref name(PyUnicode_FromString(row->name));
    if (!name || PySet_Contains(names, name.get()) != 1) *kept++ = *row;
  }
  *kept = {nullptr, nullptr};
  PyErr_Clear();
}

}  // namespace

Result<void> carry_library() {
  PyImport_FrozenModules = frozen_modules();
  if (PyImport_ExtendInittab(native_starts()) != 0) return fail("carry the native modules");
  return {};
}

PyObject* start_native(const NativeModule& module) {
  const auto start = find_start(module);
  if (start) return (*start)();
  PyErr_Format(PyExc_ImportError, "%s is carried by airlock-host and cannot be loaded: %s",
               module.name, start.error().message.c_str());
  return nullptr;
}

namespace {

bool is_built_in(const char* name) {
  for (const struct _inittab* row = PyImport_Inittab; row->name != nullptr; ++row) {
    if (std::strcmp(row->name, name) == 0) return true;
  }
  return false;
}

}  // namespace

Result<void> load_native_modules() {
  for (const NativeModule& module : native_modules()) {
    if (!is_built_in(module.name)) continue;
    const Ref loaded(PyImport_ImportModule(module.name));
    PyErr_Clear();
    if (!loaded) return fail(std::string("load the native module ") + module.name);
  }
  return {};
}

Result<void> search_host_folders() {
  const Ref globals(PyDict_New());
  const Ref libraries(PyDict_New());
  const Ref folder(PyUnicode_FromStringAndSize(library_folder().data(),
                                               static_cast<Py_ssize_t>(library_folder().size())));
  const Ref carried(PyList_New(0));
  if (!globals || !libraries || !folder || !carried) return fail("search the host's folders");
  for (const NativeModule& module : native_modules()) {
    const Ref name(PyUnicode_FromString(module.name));
    if (name) PyList_Append(carried.get(), name.get());
  }
  for (const HostModule& module : host_modules()) {
    const Ref needed(PyUnicode_FromString(module.libraries));
    if (needed) PyDict_SetItemString(libraries.get(), module.name, needed.get());
  }
  PyDict_SetItemString(globals.get(), "libraries", libraries.get());
  PyDict_SetItemString(globals.get(), "folder", folder.get());
  PyDict_SetItemString(globals.get(), "carried", carried.get());
  if (!run_text(kSearchHost, globals.get())) return fail("search the host's folders");
  drop_starts(PyDict_GetItemString(globals.get(), "installed"));
  return {};
}

std::string interpreter_identity() {
  return std::string("CPython ") + Py_GetVersion() + ", library " + std::string(library_hash());
}

}  // namespace airlock::python
