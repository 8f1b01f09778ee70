// (1) The library's builtins lose what the policy does not list. Library functions that need more
// find it among the globals of their own module, which no guest can read (python/prune.cc), in a
// form that does only what this module does with it. (2) sys.modules, which library code searches
// by names that a guest may choose, holds faces. The modules themselves are kept in a table here,
// and an import statement in library code gets the module that the statement itself names. (3)
// Functions of native modules that reach out of the interpreter are deleted from every module; so
// are importers, and the table of built-in modules is empty. (4) Whatever is left of all this
// announces itself to audit hooks, and ours knows the few announcements of honest code.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "python/frames.h"
#include "python/library_text.h"
#include "python/ref.h"
#include "python/restrict_interpreter.h"

namespace airlock::python {

namespace {

// Names with a blank between them.
using Names = std::string_view;

std::vector<std::string> names_in(Names names) {
  std::vector<std::string> found;
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    found.emplace_back(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return found;
}

// As a whole word of the list.
bool contains(Names names, std::string_view name) {
  for (std::size_t at = names.find(name); at != Names::npos; at = names.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || names[at - 1] == ' ') && (end == names.size() || names[end] == ' '))
      return !name.empty();
  }
  return false;
}

// Every module as it was loaded; borrowed by name, null when there is none.
// These live as long as the process; the zygote fills them once, cells inherit them by fork.
PyObject* all_modules = nullptr;
PyObject* library_builtins = nullptr;
PyObject* codec_search = nullptr;  // the code of encodings.search_function

PyObject* real_module(const char* name) {
  return PyDict_GetItemString(all_modules, name);
}

// What library code uses of the builtins beyond those that are listed.
constexpr Names kLibraryBuiltins =
    "__build_class__ __debug__ __doc__ __import__ __name__ id "
    "NotImplemented";

struct Replacement {
  const char* module;
  const char* name;
  PyMethodDef* ours;    // or:
  const char* builtin;  // the builtin of this name, for this module alone
  const char* why;
};

// A name that a function does not find among its locals is looked up in its module's globals first
// and in the builtins last. So an entry in the globals of one module stands before the builtin, for
// that module alone.
const Replacement kReplacements[] = {
    {"dataclasses", "exec", &kMakeRecordMethod, nullptr, "methods of records are written as text"},
    {"collections", "eval", &kMakeTupleConstructor, nullptr, "so is __new__ of named tuples"},
    {"typing", "compile", &kCheckAnnotation, nullptr,
     "Optional['Row'] says when it is no expression"},
    {"typing", "eval", &kRefuseAnnotation, nullptr,
     "get_type_hints() of annotations that are text"},
    {"typing", "dir", nullptr, "dir", "dir() of an alias"},
    {"typing", "vars", nullptr, "vars", "no_type_check() of a class"},
    {"enum", "dir", nullptr, "dir", "dir() of an enumeration"},
};

// What code in C looks up in sys.modules while it works, and the dataclass decorator.
struct InterpreterPart {
  const char* module;
  Names names;
  const char* why;
  // The guest's own face has them too: a text such as "typing.ClassVar" is looked up in both.
  bool is_in_face = false;
};

constexpr InterpreterPart kParts[] = {
    {"_strptime", "_strptime_datetime _strptime_time", "strptime()"},
    {"copyreg", "__newobj__ __newobj_ex__ _reconstructor _reduce_ex _slotnames",
     "copies of objects"},
    {"dataclasses", "InitVar KW_ONLY", "what kind of field it is", true},
    {"json.decoder", "JSONDecodeError", "errors in JSON"},
    {"re", "_expand _subx", "templates of sub() and expand()"},
    {"time", "gmtime localtime mktime strftime struct_time time",
     "the present, and strftime() of dates"},
    {"typing", "ClassVar _GenericAlias", "what kind of field it is", true},
};

struct Native {
  const char* module;
  Names kept;  // functions that granted library code calls
};

// All functions of these modules go, but for those that are kept. Types that they define stay,
// except for the files of _io: without a function that opens something they are of no use.
constexpr Native kNatives[] = {
    {"_ctypes", ""},
    {"_imp", ""},
    {"_io", ""},
    {"_multiprocessing", ""},
    {"_opcode", ""},
    {"_pickle", ""},
    {"_posixshmem", ""},
    {"_posixsubprocess", ""},
    {"_signal", ""},
    {"_socket", ""},
    {"_ssl", ""},
    {"_thread", "allocate_lock get_ident"},
    {"_tracemalloc", ""},
    {"_xxsubinterpreters", ""},
    {"atexit", ""},
    {"faulthandler", ""},
    {"fcntl", ""},
    {"gc", ""},
    {"grp", ""},
    {"marshal", ""},
    {"mmap", ""},
    {"posix", "_path_normpath fspath urandom"},
    {"pwd", ""},
    {"resource", ""},
    {"select", ""},
    {"sys",
     "_getframe exc_info getdefaultencoding getfilesystemencodeerrors "
     "getfilesystemencoding getrecursionlimit getsizeof intern "
     "unraisablehook"},
    {"syslog", ""},
    {"termios", ""},
};

// Classes of io that stand for open files.
constexpr Names kFileTypes =
    "BufferedRWPair BufferedRandom BufferedReader BufferedWriter FileIO "
    "TextIOWrapper";

// Attributes of classes through which a module, or all that it holds, can be had.
struct Leak {
  const char* module;
  const char* type;
  const char* attribute;
};

constexpr Leak kLeaks[] = {
    {"enum", "EnumType", "_convert_"},  // members made of all globals of a module
    {"pathlib", "_PosixFlavour", "pathmod"},
    {"pathlib", "_WindowsFlavour", "ntpath"},
    {"pathlib", "_WindowsFlavour", "pathmod"},
};

// Who announces more is not honest, or is this program itself, which loads the compiled code while
// no Python runs. _getframe: named tuples ask for the name of their module; __setattr__: their
// defaults are set.
// CPython announces sensitive operations to audit hooks before it does them (PEP 578); a hook that
// fails stops the operation. One that was added in C cannot be removed, or seen, by Python code.
int on_audit_event(const char* event, PyObject*, void*) {
  static constexpr Names kHonest =
      "builtins.id object.__delattr__ object.__getattr__ object.__setattr__ "
      "sys._getframe sys.unraisablehook";
  if (contains(kHonest, event)) return 0;
  void *code = nullptr, *builtins = nullptr;
  // No Python frame: C code of this program is at work, not a guest.
  airlock_innermost(&code, &builtins);
  // Not "open": the parser would open the file in which a mistake stands, to show the line.
  const bool is_ours = code == nullptr || is_reading_library_text();
  if (is_ours && contains("compile marshal.dumps marshal.loads", event)) return 0;
  PyErr_Format(PyExc_PermissionError, "there is no %s here", event);
  return -1;
}

// The import statement of library code, which gives what the statement itself names; and C code
// that looks up a part of its own module, which gets a face. Neither loads anything.
PyObject* library_import(PyObject*, PyObject* arguments, PyObject* keywords) {
  PyObject *name = nullptr, *globals = nullptr, *locals = nullptr, *names = nullptr;
  int level = 0;
  static const char* const kNames[] = {"name", "globals", "locals", "fromlist", "level", nullptr};
  if (PyArg_ParseTupleAndKeywords(arguments, keywords, "U|OOOi:__import__",
                                  const_cast<char**>(kNames), &name, &globals, &locals, &names,
                                  &level) == 0)
    return nullptr;
  void *code = nullptr, *builtins = nullptr;
  airlock_innermost(&code, &builtins);
  bool is_named = false;
  if (code != nullptr && builtins == library_builtins && level == 0) {
    PyObject* written = static_cast<PyCodeObject*>(code)->co_names;
    // co_names are the names that the code itself mentions, module names of its import statements
    // among them. A name that was computed by __import__(x) is not there, so no guest can choose
    // it.
    is_named = PySequence_Contains(written, name) == 1 ||
               (code == codec_search && text_of(name).starts_with("encodings."));
  }
  PyObject* found =
      PyDict_GetItemWithError(is_named ? all_modules : PyImport_GetModuleDict(), name);
  if (found == nullptr)
    return PyErr_Format(PyExc_ModuleNotFoundError, "No module named '%U'", name);
  // `import a.b` wants a, `from a.b import c` wants a.b: the rule of the real __import__.
  const bool wants_inner = names != nullptr && names != Py_None && PyObject_IsTrue(names) == 1;
  const std::string text(text_of(name));
  const std::size_t dot = text.find('.');
  if (wants_inner || dot == std::string::npos) return Py_NewRef(found);
  PyObject* outer = real_module(text.substr(0, dot).c_str());
  return Py_NewRef(is_named && outer != nullptr ? outer : found);
}

// The double cast is the usual way to store a function with keywords in a PyMethodDef: via a plain
// function pointer, which compilers do not warn about.
PyMethodDef kLibraryImport = {
    "__import__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(library_import)),
    METH_VARARGS | METH_KEYWORDS, nullptr};

// typing looks up the name of an alias, which anyone can change, in its globals to copy it.
PyObject* known_names(PyObject* names, PyObject*) {
  return Py_NewRef(names);
}

PyMethodDef kKnownNames = {"globals", known_names, METH_NOARGS, nullptr};

void limit_lookups_of_typing(const Facades& facades) {
  PyObject* typing = real_module("typing");
  PyObject* face = facades.find("typing", true);
  if (typing == nullptr || face == nullptr) return;
  const Ref ours(PyCFunction_New(&kKnownNames, attributes_of_facade(face)));
  if (ours) PyDict_SetItemString(PyModule_GetDict(typing), "globals", ours.get());
}

void replace_in_modules() {
  for (const Replacement& row : kReplacements) {
    PyObject* module = real_module(row.module);
    if (module == nullptr) continue;
    const Ref ours(row.ours != nullptr
                       ? PyCFunction_New(row.ours, nullptr)
                       : Py_XNewRef(PyDict_GetItemString(library_builtins, row.builtin)));
    if (ours) PyDict_SetItemString(PyModule_GetDict(module), row.name, ours.get());
  }
}

void remove_unlisted_builtins(const Policy& policy) {
  // A copy of the keys: a dict must not change while it is walked.
  const Ref names(PyDict_Keys(library_builtins));
  for (Py_ssize_t i = 0; names && i < PyList_GET_SIZE(names.get()); ++i) {
    PyObject* name = PyList_GET_ITEM(names.get(), i);
    const std::string_view text = text_of(name);
    const bool is_listed =
        std::ranges::find(policy.builtins, text, &Permit::name) != policy.builtins.end();
    if (!is_listed && !contains(kLibraryBuiltins, text)) PyDict_DelItem(library_builtins, name);
  }
  const Ref import(PyCFunction_New(&kLibraryImport, nullptr));
  if (import) PyDict_SetItemString(library_builtins, "__import__", import.get());
}

// What the policy's face shows, if there is one, in a face of its own.
PyObject* copy_of(const InterpreterPart& part, PyObject* face) {
  PyObject* made = make_facade(part.module);
  if (made != nullptr && face != nullptr)
    PyDict_Update(attributes_of_facade(made), attributes_of_facade(face));
  return made;
}

void add_names(const InterpreterPart& part, PyObject* attributes) {
  PyObject* held = PyModule_GetDict(real_module(part.module));
  for (const std::string& name : names_in(part.names)) {
    PyObject* value = PyDict_GetItemString(held, name.c_str());
    if (value != nullptr) PyDict_SetItemString(attributes, name.c_str(), value);
  }
}

// C code of the interpreter looks some modules up in sys.modules by name (kParts): these get a face
// with just what it needs, in the place of the policy's or beside it.
void replace_modules_by_faces(const Facades& facades) {
  PyObject* modules = PyImport_GetModuleDict();
  PyDict_Clear(modules);
  for (const auto& [name, face] : facades.all()) {
    PyDict_SetItemString(modules, name.c_str(), face);
  }
  for (const InterpreterPart& row : kParts) {
    if (real_module(row.module) == nullptr) continue;
    PyObject* face = facades.find(row.module, true);
    const Ref part(face != nullptr && row.is_in_face ? Py_NewRef(face) : copy_of(row, face));
    if (!part) continue;
    add_names(row, attributes_of_facade(part.get()));
    PyDict_SetItemString(modules, row.module, part.get());
  }
}

// The functions of native modules that reach out, by the module that they belong to.
class OutwardFunctions {
 public:
  OutwardFunctions() {
    for (const Native& row : kNatives) {
      if (PyObject* module = real_module(row.module)) modules_.push_back({module, &row});
    }
    PyObject* io = real_module("_io");
    for (const std::string& name : names_in(kFileTypes)) {
      PyObject* type =
          io == nullptr ? nullptr : PyDict_GetItemString(PyModule_GetDict(io), name.c_str());
      if (type != nullptr) types_.push_back(type);
    }
  }

  // A built-in function knows its module as its `self`, whatever name it stands under and wherever
  // it was imported to.
  bool has(PyObject* value) const {
    if (PyType_Check(value)) return std::ranges::find(types_, value) != types_.end();
    if (!PyCFunction_Check(value)) return false;
    PyObject* self = PyCFunction_GET_SELF(value);
    if (self == nullptr || !PyModule_Check(self)) return false;
    const auto found = std::ranges::find(modules_, self, &Listed::module);
    return found != modules_.end() &&
           !contains(found->row->kept, reinterpret_cast<PyCFunctionObject*>(value)->m_ml->ml_name);
  }

 private:
  struct Listed {
    PyObject* module;
    const Native* row;
  };
  std::vector<Listed> modules_;
  std::vector<PyObject*> types_;
};

void delete_what_reaches_out() {
  const OutwardFunctions outward;
  PyObject *name = nullptr, *module = nullptr;
  Py_ssize_t at = 0;
  while (PyDict_Next(all_modules, &at, &name, &module) != 0) {
    if (!PyModule_Check(module)) continue;
    PyObject* held = PyModule_GetDict(module);
    // Collected first, deleted after: PyDict_Next allows no change meanwhile.
    std::vector<PyObject*> gone;
    PyObject *key = nullptr, *value = nullptr;
    Py_ssize_t place = 0;
    while (PyDict_Next(held, &place, &key, &value) != 0) {
      if (outward.has(value)) gone.push_back(Py_NewRef(key));
    }
    for (PyObject* one : gone) {
      PyDict_DelItem(held, one);
      Py_DECREF(one);
    }
    // Both lead to the importer that loaded the module.
    for (const char* tied : {"__spec__", "__loader__"}) PyDict_SetItemString(held, tied, Py_None);
  }
}

void forget_importers() {
  for (const char* list : {"meta_path", "path_hooks", "path"}) {
    PyObject* held = PySys_GetObject(list);  // borrowed
    if (held != nullptr && PyList_Check(held))
      PyList_SetSlice(held, 0, PyList_GET_SIZE(held), nullptr);
  }
  PyObject* cache = PySys_GetObject("path_importer_cache");
  if (cache != nullptr && PyDict_Check(cache)) PyDict_Clear(cache);
  // Open descriptors; the first of them is the cell's own socket.
  for (const char* stream : {"__stdin__", "__stdout__", "__stderr__"})
    PySys_SetObject(stream, Py_None);
  static struct _inittab nothing[] = {{nullptr, nullptr}};
  // The tables that `import` of a built-in module and of a frozen one search: empty, so none can be
  // made a second time.
  PyImport_Inittab = nothing;
  PyImport_FrozenModules = nullptr;
}

void close_leaks() {
  for (const Leak& leak : kLeaks) {
    PyObject* module = real_module(leak.module);
    PyObject* type =
        module == nullptr ? nullptr : PyDict_GetItemString(PyModule_GetDict(module), leak.type);
    if (type != nullptr) PyObject_DelAttrString(type, leak.attribute);
  }
}

void add_types(Types& types, PyObject* held) {
  PyObject *name = nullptr, *value = nullptr;
  Py_ssize_t at = 0;
  while (PyDict_Next(held, &at, &name, &value) != 0) {
    if (PyType_Check(value)) types.insert(reinterpret_cast<PyTypeObject*>(value));
  }
}

}  // namespace

Result<void> remove_ungranted(const Policy& policy, const Facades& facades, PyObject* builtins) {
  // The order matters. Modules are copied before sys.modules is emptied; what needs sys.modules or
  // the importers comes before they go; types are pruned when everything is loaded; and the audit
  // hook comes last, because it would refuse much of what stands above it.
  library_builtins = Py_NewRef(PyEval_GetBuiltins());
  all_modules = PyDict_Copy(PyImport_GetModuleDict());
  if (all_modules == nullptr) return fail("list the modules");
  if (PyObject* encodings = real_module("encodings")) {
    PyObject* search = PyDict_GetItemString(PyModule_GetDict(encodings), "search_function");
    if (search != nullptr && PyFunction_Check(search)) codec_search = PyFunction_GetCode(search);
  }
  Types known;
  add_types(known, builtins);
  for (const auto& [name, face] : facades.all()) add_types(known, attributes_of_facade(face));
  TRY(refuse_files(policy));
  replace_in_modules();
  limit_lookups_of_typing(facades);
  remove_unlisted_builtins(policy);
  close_leaks();
  forget_importers();
  delete_what_reaches_out();
  replace_modules_by_faces(facades);
  if (PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    return fail("take away what the policy does not grant");
  }
  TRY(prune_types(known));
  TRY(patch_interpreter());
  if (PySys_AddAuditHook(on_audit_event, nullptr) != 0) return fail("watch what is announced");
  return {};
}

}  // namespace airlock::python
