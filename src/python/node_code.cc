// A declared type becomes text in the tree before it is compiled: a name that only stands in a
// declaration need not exist when the code runs, and evaluating it costs nothing.
#include "python/node_code.h"

#include <unistd.h>

#include <cstring>

#include "python/compiled_library.h"
#include "python/frozen_library.h"
#include "python/ref.h"

extern "C" {
PyCodeObject* _PyAST_Compile(mod_ty module, PyObject* filename, PyCompilerFlags* flags,
                             int optimize, PyArena* arena);
mod_ty _PyParser_ASTFromString(const char* text, PyObject* filename, int mode,
                               PyCompilerFlags* flags, PyArena* arena);
PyArena* _PyArena_New(void);
void _PyArena_Free(PyArena* arena);
int _PyArena_AddPyObject(PyArena* arena, PyObject* object);
}

namespace airlock::python {

namespace {

// Finds `name: type` at the module level, replaces the type by its text, and remembers it.
class Declarations {
 public:
  explicit Declarations(PyArena* arena) : arena_(arena), found_(PyDict_New()) {}

  // False with an exception set.
  bool read(const asdl_stmt_seq* statements) {
    const Py_ssize_t count = statements == nullptr ? 0 : asdl_seq_LEN(statements);
    for (Py_ssize_t i = 0; i < count; ++i) {
      if (!read(asdl_seq_GET(statements, i))) return false;
    }
    return true;
  }

  PyObject* found() const { return found_.get(); }

 private:
  // The blocks of the module level. Functions and classes have a level of their own.
  bool read(stmt_ty statement) {
    const auto& v = statement->v;
    switch (statement->kind) {
      case AnnAssign_kind:
        return declare(statement);
      case If_kind:
        return read(v.If.body) && read(v.If.orelse);
      case For_kind:
        return read(v.For.body) && read(v.For.orelse);
      case AsyncFor_kind:
        return read(v.AsyncFor.body) && read(v.AsyncFor.orelse);
      case While_kind:
        return read(v.While.body) && read(v.While.orelse);
      case With_kind:
        return read(v.With.body);
      case AsyncWith_kind:
        return read(v.AsyncWith.body);
      case Try_kind:
        return read(v.Try.body) && read_handlers(v.Try.handlers) && read(v.Try.orelse) &&
               read(v.Try.finalbody);
      case TryStar_kind:
        return read(v.TryStar.body) && read_handlers(v.TryStar.handlers) &&
               read(v.TryStar.orelse) && read(v.TryStar.finalbody);
      case Match_kind:
        return read_cases(v.Match.cases);
      default:
        return true;
    }
  }

  bool read_handlers(const asdl_excepthandler_seq* handlers) {
    const Py_ssize_t count = handlers == nullptr ? 0 : asdl_seq_LEN(handlers);
    for (Py_ssize_t i = 0; i < count; ++i) {
      if (!read(asdl_seq_GET(handlers, i)->v.ExceptHandler.body)) return false;
    }
    return true;
  }

  bool read_cases(const asdl_match_case_seq* cases) {
    const Py_ssize_t count = cases == nullptr ? 0 : asdl_seq_LEN(cases);
    for (Py_ssize_t i = 0; i < count; ++i) {
      if (!read(asdl_seq_GET(cases, i)->body)) return false;
    }
    return true;
  }

  // A type that is written as text already ("list[int]") keeps its words.
  bool declare(stmt_ty statement) {
    expr_ty target = statement->v.AnnAssign.target;
    expr_ty declared = statement->v.AnnAssign.annotation;
    if (target->kind != Name_kind) return true;
    PyObject* text = nullptr;
    if (declared->kind == Constant_kind && PyUnicode_CheckExact(declared->v.Constant.value)) {
      text = Py_NewRef(declared->v.Constant.value);
    } else {
      text = _PyAST_ExprAsUnicode(declared);
    }
    if (text == nullptr) return false;
    // The arena owns the text from here on, as it owns all of the tree.
    if (_PyArena_AddPyObject(arena_, text) < 0) {  // which gives it back when it fails
      return false;
    }
    statement->v.AnnAssign.annotation =
        _PyAST_Constant(text, nullptr, declared->lineno, declared->col_offset, declared->end_lineno,
                        declared->end_col_offset, arena_);
    return statement->v.AnnAssign.annotation != nullptr &&
           PyDict_SetItem(found_.get(), target->v.Name.id, text) == 0;
  }

  PyArena* arena_;
  Ref found_;
};

PyObject* read_in(PyArena* arena, const char* source, PyObject* filename) {
  PyCompilerFlags flags = _PyCompilerFlags_INIT;
  flags.cf_flags = PyCF_IGNORE_COOKIE;
  mod_ty module = _PyParser_ASTFromString(source, filename, Py_file_input, &flags, arena);
  if (module == nullptr) return nullptr;
  Declarations declarations(arena);
  if (declarations.found() == nullptr || !declarations.read(module->v.Module.body)) return nullptr;
  const Ref code(reinterpret_cast<PyObject*>(_PyAST_Compile(module, filename, &flags, -1, arena)));
  return code ? PyTuple_Pack(2, code.get(), declarations.found()) : nullptr;
}

}  // namespace

PyObject* read_node_code(PyObject* source, PyObject* filename) {
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(source, &size);
  if (text == nullptr) return nullptr;
  if (std::strlen(text) != static_cast<std::size_t>(size)) {
    PyErr_SetString(PyExc_ValueError, "source code string cannot contain null bytes");
    return nullptr;
  }
  PyArena* arena = _PyArena_New();
  if (arena == nullptr) return nullptr;
  PyObject* read = read_in(arena, text, filename);
  _PyArena_Free(arena);
  return read;
}

PyObject* read_node_code_method(PyObject*, PyObject* arguments) {
  PyObject *source = nullptr, *filename = nullptr;
  if (PyArg_ParseTuple(arguments, "UU", &source, &filename) == 0) return nullptr;
  return read_node_code(source, filename);
}

Result<void> load_node_runtime() {
  static PyMethodDef read = {"read", read_node_code_method, METH_VARARGS, nullptr};
  carry_modules(node_modules());
  const Ref cell(PyImport_ImportModule("airlock_node.cell"));
  const Ref reading(PyImport_ImportModule("airlock_node.reading"));
  const Ref reader(PyCFunction_New(&read, nullptr));
  if (cell && reading && reader && PyObject_SetAttrString(reading.get(), "read", reader.get()) == 0)
    return {};
  return fail("load the module airlock_node.cell: " + take_exception_text());
}

namespace {

// The packages of a virtual environment that is active, before those of the system. It is only
// their folder: the interpreter and its standard library are the ones that this program is made of.
constexpr const char* kVirtualEnvironment = R"(
import os, sys
folder = os.environ.get('VIRTUAL_ENV')
folder = folder and os.path.join(folder, 'lib', f'python{sys.version_info[0]}.{sys.version_info[1]}', 'site-packages')
if folder and os.path.isdir(folder):
    import site
    before = list(sys.path)
    site.addsitedir(folder)
    added = [one for one in sys.path if one not in before]
    at = next((i for i, one in enumerate(before) if one.endswith(('dist-packages', 'site-packages'))), len(before))
    sys.path[:] = before[:at] + added + before[at:]
)";

// The user's own Python, if it is the one that is linked here.
bool is_python_installed() {
  return ::access((std::string(library_folder()) + "/os.py").c_str(), R_OK) == 0;
}

// Where nothing is installed: the place is named, or CPython looks for it and complains.
PyStatus name_absent_place(PyConfig& config) {
  const std::string_view folder = library_folder();
  config.pathconfig_warnings = 0;
  return PyConfig_SetBytesString(&config, &config.home,
                                 std::string(folder.substr(0, folder.rfind("/lib/"))).c_str());
}

PyStatus configure(PyConfig& config) {
  // Our arguments are not Python's; and C's streams stay as they are.
  config.parse_argv = 0;
  config.configure_c_stdio = 0;
  if (!is_python_installed()) {
    const PyStatus named = name_absent_place(config);
    if (PyStatus_Exception(named) != 0) return named;
  }
  // Not searched for in PATH: the standard library must be the one of the version linked here.
  PyStatus status = PyConfig_SetString(&config, &config.program_name, L"/usr/bin/python3.11");
  if (PyStatus_Exception(status) != 0) return status;
  return PyConfig_SetString(&config, &config.executable, L"/usr/bin/python3.11");
}

}  // namespace

// With a Python installed, a node finds the modules that this Python would find: a file of the
// user's may have the name of one of the library's, and comes first. The carried ones would always
// come first.
Result<void> start_node_interpreter() {
  const bool is_library_carried = !is_python_installed();
  if (is_library_carried) TRY(carry_library());
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  PyStatus status = configure(config);
  if (PyStatus_Exception(status) == 0) status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  if (PyStatus_Exception(status) != 0)
    return fail(std::string("start the interpreter: ") +
                (status.err_msg != nullptr ? status.err_msg : "unknown reason"));
  if (is_library_carried) TRY(search_host_folders());
  const Ref globals(PyDict_New());
  PyDict_SetItemString(globals.get(), "__builtins__", PyEval_GetBuiltins());
  const Ref done(PyRun_String(kVirtualEnvironment, Py_file_input, globals.get(), globals.get()));
  PyErr_Clear();
  return {};
}

}  // namespace airlock::python
