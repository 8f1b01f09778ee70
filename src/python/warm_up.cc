#include "python/warm_up.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "base/nearest.h"
#include "model/lazy_part.h"
#include "model/named_packages.h"
#include "model/thread_variables.h"
#include "python/frozen_library.h"
#include "python/ref.h"

namespace airlock::python {

namespace {

bool run_with(PyObject* globals, const char* code) {
  PyDict_SetItemString(globals, "__builtins__", PyEval_GetBuiltins());
  const Ref done(PyRun_String(code, Py_file_input, globals, globals));
  PyErr_Clear();
  return static_cast<bool>(done);
}

bool run(const char* code) {
  const Ref globals(PyDict_New());
  return run_with(globals.get(), code);
}

bool is_listed(const Policy& policy, std::string_view module) {
  return std::ranges::any_of(policy.modules,
                             [&](const Surface& surface) { return surface.name == module; });
}

bool is_wanted(const Policy& policy, const LazyPart& part) {
  const bool is_left_out =
      std::ranges::find(policy.parts_left_out, part.name) != policy.parts_left_out.end();
  return !is_left_out && (part.needed_by.empty() || is_listed(policy, part.needed_by));
}

// What is not there is not there for the guest either: whoever asks for it says so.
bool import(std::string_view name) {
  const Ref loaded(PyImport_ImportModule(std::string(name).c_str()));
  PyErr_Clear();
  return static_cast<bool>(loaded);
}

// A listed module that is not carried, or needs one that is not, may be the host's.
void import_listed(const Policy& policy) {
  bool is_host_searched = policy.has_grant(kAnyPython);
  for (const Surface& module : policy.modules) {
    if (import(module.name) || is_host_searched) continue;
    is_host_searched = true;
    if (search_host_folders()) import(module.name);
  }
}

// "; did you mean 'numpy'?", of what is installed; empty when the package itself is there.
std::string did_you_mean_installed(const std::string& package) {
  const Ref globals(PyDict_New());
  static_cast<void>(run_with(
      globals.get(), "import pkgutil\nnames = [one.name for one in pkgutil.iter_modules()]"));
  PyObject* names = PyDict_GetItemString(globals.get(), "names");  // borrowed
  const Py_ssize_t count = names != nullptr && PyList_Check(names) ? PyList_GET_SIZE(names) : 0;
  std::vector<std::string_view> installed;
  for (Py_ssize_t i = 0; i < count; ++i) installed.push_back(text_of(PyList_GET_ITEM(names, i)));
  const std::string top = package.substr(0, package.find('.'));
  if (std::ranges::find(installed, top) != installed.end()) return {};
  return did_you_mean(top, installed);
}

// What the one who starts the chamber has named must be there. Its code is as trusted as the
// interpreter's own.
Result<void> import_package(const std::string& name) {
  const Ref loaded(PyImport_ImportModule(name.c_str()));
  if (loaded) return {};
  const bool is_missing = PyErr_ExceptionMatches(PyExc_ModuleNotFoundError) != 0;
  const std::string why = take_exception_text();
  return bad_request("cannot import the package " + name + ": " + why +
                     (is_missing ? did_you_mean_installed(name) : ""));
}

// A cell is a copy of one thread: what another one was at would never be finished in it.
Result<void> require_one_thread(const std::string& package) {
  std::error_code wrong;
  const auto threads = std::distance(std::filesystem::directory_iterator("/proc/self/task", wrong),
                                     std::filesystem::directory_iterator());
  if (wrong || threads <= 1) return {};
  return bad_request("cannot import the package " + package +
                     ": it has started a thread, and cells can only be made of a process with one; "
                     "import it in a piece instead");
}

// The first use of these loads, fills or reads something (modules, caches, the time zone), which a
// cell of listed modules cannot do any more, or would do each time.
enum class When : std::uint8_t { kListed, kLoaded, kPackage, kAlways };
struct FirstUse {
  const char* module = "";
  const char* code = "";
  When when = When::kListed;
};
constexpr FirstUse kFirstUses[] = {
    {"time", "import time; time.localtime(); time.strftime('%A %B %c')", When::kAlways},
    {"datetime",
     "import datetime; datetime.datetime(2024, 1, 2, 3, 4).strftime('%A %B %c'); "
     "datetime.datetime.now().astimezone()",
     When::kLoaded},
    {"_strptime",
     "import datetime; datetime.datetime.strptime('01-Jan-2024 10:00:00', '%d-%b-%Y %H:%M:%S')",
     When::kLoaded},
    {"encodings.cp1252",
     "'x'.encode('latin-1'), 'x'.encode('cp1252'), b'x'.decode('utf-16-le', 'ignore')",
     When::kLoaded},
    {"hashlib",
     "import hashlib; hashlib.sha256(b'').hexdigest(), hashlib.md5(b'').hexdigest(), "
     "hashlib.new('sha1').hexdigest(), hashlib.blake2b(b'', digest_size=8).hexdigest(), "
     "hashlib.sha3_256(b'').hexdigest()"},
    {"uuid", "import uuid; uuid.uuid4(), uuid.uuid5(uuid.NAMESPACE_URL, 'a')"},
    {"json", "import json; json.loads(json.dumps({'a': [1, 2.5, None]}))"},
    {"dataclasses",
     "import dataclasses; d = dataclasses.make_dataclass('D', ['a'], order=True); "
     "dataclasses.asdict(d(1)); repr(d(1))"},
    {"enum", "import enum; enum.Enum('E', 'A B')"},
    {"collections", "import collections; collections.namedtuple('N', 'a b')(1, 2)._asdict()"},
    {"typing", "import typing; typing.Optional[typing.Dict[str, int]]"},
    {"pathlib", "import pathlib; pathlib.Path('/a/b.c').suffix"},
    {"base64", "import base64; base64.b64decode('YQ==')"},
    {"unicodedata", "'\\xe9'.encode('ascii', 'namereplace')", When::kLoaded},
    {"pandas", "import pandas; pandas.DataFrame({'a': [1, 2]})['a'].sum()", When::kPackage},
};

bool is_loaded(const char* module) {
  return PyDict_GetItemString(PyImport_GetModuleDict(), module) != nullptr;
}

bool is_of_use(const FirstUse& row, const Policy& policy) {
  if (row.when == When::kAlways) return true;
  if (row.when == When::kPackage) return is_loaded(row.module);
  if (policy.has_grant(kAnyPython)) return false;  // a cell can do it when it comes to it
  return row.when == When::kLoaded ? is_loaded(row.module) : is_listed(policy, row.module);
}

void use_once(const Policy& policy) {
  for (const FirstUse& row : kFirstUses) {
    if (!is_of_use(row, policy)) continue;
    static_cast<void>(run(row.code));  // a module that is not there is not there in a cell either
  }
}

// `packages` is the folder of a virtual environment, or empty. It is only a place to find modules
// in: its .pth files are programs, and are not run. Debian's folder without a version in its name
// belongs to the Python that is installed, which must be this one. ctypes makes code in memory when
// it is imported, which a cell may not. Two modules would start programs: pandas asks platform for
// the processor's name (`uname -p`), sklearn asks ctypes.util for the C library (gcc, ldconfig).
// They answer what they answer where there is no such program. Warnings are shown as Python shows
// them: those of the parser, which nobody reads, were turned off before.
constexpr const char* kOpenPython = R"(
import os, site, sys, warnings
from _frozen_importlib import FrozenImporter
os.environ.clear()
warnings.filters[:] = [('default', None, DeprecationWarning, '__main__', 0)] + [
    ('ignore', None, kind, None, 0) for kind in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)]
warnings._filters_mutated()
def settle_platform(module):
    module.uname().__dict__['processor'] = ''
def settle_ctypes_util(module):
    module._findSoname_ldconfig = module._findLib_gcc = module._findLib_ld = lambda name: None
SETTLED = {'platform': settle_platform, 'ctypes.util': settle_ctypes_util}
class SettlingLoader(FrozenImporter):
    @staticmethod
    def exec_module(module):
        module.__spec__.loader = module.__loader__ = FrozenImporter
        FrozenImporter.exec_module(module)
        SETTLED[module.__name__](module)
class SettlingFinder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        spec = FrozenImporter.find_spec(name) if name in SETTLED else None
        if spec is not None:
            spec.loader = SettlingLoader
        return spec
sys.meta_path.insert(0, SettlingFinder)
folders = [] if hides_host else site.getsitepackages()
if not os.path.isfile(library + '/os.py'):
    folders = [folder for folder in folders if os.path.basename(library) in folder]
sys.path += [folder for folder in ([packages] if packages else []) + folders if os.path.isdir(folder)]
try:
    import ctypes
except ImportError:  # not carried; where it is asked for, that is said
    pass
)";

// Around the import of packages, which the one who starts the chamber trusts: they write, if at
// all, into `place`, a folder in memory that is gone afterwards; and they see what keeps them from
// starting threads.
constexpr const char* kBeforePackages = R"(
import os
os.environ.update(variables)
os.environ.update(HOME=place, TMPDIR=place, MPLCONFIGDIR=place + '/matplotlib')
)";
constexpr const char* kAfterPackages = R"(
import os, sys
os.environ.clear()
if 'tempfile' in sys.modules:
    sys.modules['tempfile'].tempdir = None
matplotlib = sys.modules.get('matplotlib')
for name in ('get_configdir', 'get_cachedir'):  # which remember what they found
    asked = getattr(getattr(matplotlib, name, None), '__wrapped__', None)
    if asked is not None:
        setattr(matplotlib, name, asked)
)";

// Where a cell cannot see the libraries that native modules need: test modules aside, whatever
// loads is loaded.
constexpr const char* kNativeModules = R"(
import os, sys
for folder in sys.path:
    if not folder.endswith('lib-dynload') or not os.path.isdir(folder):
        continue
    for file in sorted(os.listdir(folder)):
        name = file.partition('.')[0]
        if 'test' in name or name.startswith('xx'):
            continue
        try:
            __import__(name)
        except Exception:
            pass
)";

// dataclasses asks inspect for one thing: the parameters of a record, for its __doc__. That reads
// code objects, which nobody does in a cell; a record's fields say the same. Loading inspect costs
// more than all other modules of an extractor together.
constexpr const char* kDataclassesAlone = R"(
import sys
class Inspect:
    @staticmethod
    def signature(record):
        import dataclasses
        def shown(field):
            hint = field.type
            if isinstance(hint, type) and type(hint) is type:
                hint = hint.__qualname__ if hint.__module__ == 'builtins' else f'{hint.__module__}.{hint.__qualname__}'
            else:
                hint = repr(hint).replace('typing.', '')
            text = f'{field.name}: {hint}'
            if field.default is not dataclasses.MISSING:
                return f'{text} = {field.default!r}'
            return text if field.default_factory is dataclasses.MISSING else text + ' = <factory>'
        fields = [f for f in record.__dataclass_fields__.values() if f.init and f._field_type is not dataclasses._FIELD_CLASSVAR]
        plain = [shown(f) for f in fields if not f.kw_only]
        named = [shown(f) for f in fields if f.kw_only]
        return '(' + ', '.join(plain + (['*', *named] if named else [])) + ')'
sys.modules['inspect'] = Inspect
try:
    import dataclasses
finally:
    del sys.modules['inspect']
)";

Result<void> open_python(const PackageFolder& packages) {
  const Ref globals(PyDict_New());
  const Ref path(PyUnicode_DecodeFSDefaultAndSize(packages.path.data(),
                                                  static_cast<Py_ssize_t>(packages.path.size())));
  if (!globals || !path) return fail("find the installed modules");
  const std::string_view folder = library_folder();
  const Ref library(
      PyUnicode_FromStringAndSize(folder.data(), static_cast<Py_ssize_t>(folder.size())));
  if (!library) return fail("find the installed modules");
  PyDict_SetItemString(globals.get(), "library", library.get());
  PyDict_SetItemString(globals.get(), "packages", path.get());
  PyDict_SetItemString(globals.get(), "hides_host", packages.hides_host ? Py_True : Py_False);
  if (!run_with(globals.get(), kOpenPython)) return fail("find the installed modules");
  return {};
}

// The module datetime defines all its classes in Python and puts those of _datetime in their place.
constexpr const char* kDatetimeAlone = R"(
import sys, _datetime
made = type(sys)('datetime', _datetime.__doc__)
made.__dict__.update({name: value for name, value in vars(_datetime).items() if not name.startswith('_')})
made.__all__ = ('date', 'datetime', 'time', 'timedelta', 'timezone', 'tzinfo', 'MINYEAR', 'MAXYEAR', 'UTC')
sys.modules['datetime'] = made
)";

// pathlib asks urllib.parse for one function, which as_uri() uses; loading it, and ipaddress with
// it, would take as long as all the rest of pathlib.
constexpr const char* kPathlibAlone = R"(
import sys
class Parse:
    @staticmethod
    def quote_from_bytes(text, safe='/'):
        kept = b'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-~' + safe.encode()
        return ''.join(chr(byte) if byte in kept else f'%{byte:02X}' for byte in text)
sys.modules['urllib.parse'] = Parse
try:
    import pathlib
finally:
    del sys.modules['urllib.parse']
)";

// Modules of which most extractors use little, in less time than `import` takes. For those whose
// module is listed, unless `besides` is listed too.
struct LightModule {
  const char* module = "";
  const char* code = "";
  const char* besides = "";
};
constexpr LightModule kLightModules[] = {
    {"dataclasses", kDataclassesAlone},
    {"datetime", kDatetimeAlone},
    {"pathlib", kPathlibAlone, "urllib.parse"},
};

Result<void> import_packages(const Policy& policy, const std::string& place) {
  const std::vector<std::string> packages = named_packages(policy);
  if (packages.empty()) return {};
  const Ref globals(PyDict_New());
  const Ref folder(PyUnicode_DecodeFSDefault(place.empty() ? "/nonexistent" : place.c_str()));
  if (!globals || !folder) return fail("import packages");
  const Ref variables(PyDict_New());
  const Ref one(PyUnicode_FromString(kOneThread));
  if (!variables || !one) return fail("import packages");
  for (const char* const name : kThreadVariables)
    PyDict_SetItemString(variables.get(), name, one.get());
  PyDict_SetItemString(globals.get(), "variables", variables.get());
  PyDict_SetItemString(globals.get(), "place", folder.get());
  if (!run_with(globals.get(), kBeforePackages)) return fail("import packages");
  for (const std::string& package : packages) {
    TRY(import_package(package));
    TRY(require_one_thread(package));
  }
  if (!run_with(globals.get(), kAfterPackages)) return fail("import packages");
  return {};
}

bool is_folder(const std::string& path) {
  struct stat about{};
  return path.starts_with('/') && ::stat(path.c_str(), &about) == 0 && S_ISDIR(about.st_mode);
}

bool is_inside(const std::string& path, const std::string& folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

}  // namespace

// A module that cannot be loaded is skipped here; Facades::make() says so later. The scripts
// above must run: other code relies on what they do.
Result<void> warm_up(const Policy& policy, const std::string& place) {
  if (policy.has_grant(kAnyPython)) {
    TRY(load_native_modules());
    TRY(open_python(policy.package_folder));
  }
  if (policy.has_grant(kAnyPython) && !policy.has_grant(kSharedLibraries) && !run(kNativeModules))
    return fail("load the native modules of the standard library");
  for (const LightModule& light : kLightModules) {
    if (policy.has_grant(kAnyPython) || !is_listed(policy, light.module) ||
        is_listed(policy, light.besides))
      continue;
    if (!run(light.code)) return fail(std::string("load the module ") + light.module);
  }
  import_listed(policy);
  // Code that may import anything can do so when it needs it: no file is looked at for these.
  for (const LazyPart& part : lazy_parts()) {
    if (!policy.has_grant(kAnyPython) && is_wanted(policy, part)) import(part.name);
  }
  TRY(import_packages(policy, place));
  use_once(policy);
  return {};
}

std::vector<std::string> module_folders() {
  std::vector<std::string> folders;
  PyObject* path = PySys_GetObject("path");  // borrowed
  const Py_ssize_t count = path != nullptr && PyList_Check(path) ? PyList_GET_SIZE(path) : 0;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* item = PyList_GET_ITEM(path, i);
    if (!PyUnicode_Check(item)) continue;
    std::string folder(text_of(item));
    if (is_folder(folder)) folders.push_back(std::move(folder));
  }
  // Sorted, a folder stands right before those inside it.
  std::ranges::sort(folders);
  std::vector<std::string> outermost;
  for (std::string& folder : folders) {
    if (outermost.empty() || !is_inside(folder, outermost.back()))
      outermost.push_back(std::move(folder));
  }
  return outermost;
}

}  // namespace airlock::python
