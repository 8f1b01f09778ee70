#include "python/tree.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/utf8.h"
#include "python/frozen_library.h"
#include "python/ref.h"

extern "C" {
// Declared in headers that do not compile as C++.
mod_ty _PyParser_ASTFromString(const char* text, PyObject* filename, int mode,
                               PyCompilerFlags* flags, PyArena* arena);
PyArena* _PyArena_New(void);
void _PyArena_Free(PyArena* arena);
}

namespace airlock::python {

namespace {

std::string text_attribute(PyObject* object, const char* name) {
  const Ref value(PyObject_GetAttrString(object, name));
  if (value.get() == nullptr || !PyUnicode_Check(value.get())) {
    PyErr_Clear();
    return {};
  }
  return std::string(text_of(value.get()));
}

long number_attribute(PyObject* object, const char* name) {
  const Ref value(PyObject_GetAttrString(object, name));
  if (value.get() == nullptr || !PyLong_Check(value.get())) {
    PyErr_Clear();
    return -1;
  }
  const long number = PyLong_AsLong(value.get());
  PyErr_Clear();
  return number;
}

std::string_view line_of(std::string_view code, long number) {
  std::size_t start = 0;
  for (long line = 1; line < number; ++line) {
    const std::size_t end = code.find('\n', start);
    if (end == std::string_view::npos) return {};
    start = end + 1;
  }
  return code.substr(start, code.find('\n', start) - start);
}

// SyntaxError counts characters from 1; ast and our findings count bytes from 0.
std::uint32_t byte_column(std::string_view line, long offset) {
  std::size_t at = 0;
  for (long character = 1; character < offset && at < line.size(); ++character) {
    at += std::max<std::size_t>(1, decode_utf8(line, at).bytes);
  }
  return static_cast<std::uint32_t>(at);
}

// Every place that CPython would otherwise look for on the disk, one file after the other.
PyStatus name_places(PyConfig& config) {
  const std::string home(library_folder().substr(0, library_folder().rfind("/lib/")));
  const std::pair<wchar_t**, std::string> places[] = {
      {&config.program_name, "airlock-host"},
      {&config.executable, ""},
      {&config.base_executable, ""},
      {&config.home, home},
      {&config.prefix, home},
      {&config.exec_prefix, home},
      {&config.base_prefix, home},
      {&config.base_exec_prefix, home},
  };
  PyStatus status = PyStatus_Ok();
  for (const auto& [place, text] : places) {
    status = PyConfig_SetBytesString(&config, place, text.c_str());
    if (PyStatus_Exception(status) != 0) return status;
  }
  config.module_search_paths_set = 1;  // to none
  config.pathconfig_warnings = 0;      // what is not there is not missed
  config.use_frozen_modules = 1;
  return status;
}

}  // namespace

// Exceptions that are no SyntaxError (MemoryError, RecursionError) have no place and no words of
// use.
SyntaxProblem take_syntax_problem(const std::string& code) {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  const Ref type_ref(type), value_ref(value), trace_ref(trace);
  SyntaxProblem problem;
  if (type != nullptr && PyErr_GivenExceptionMatches(type, PyExc_SyntaxError) != 0) {
    problem.type = reinterpret_cast<PyTypeObject*>(type)->tp_name;
    problem.message = text_attribute(value, "msg");
    const long line = std::max(1L, number_attribute(value, "lineno"));
    const long end_line = std::max(line, number_attribute(value, "end_lineno"));
    const long offset = std::max(1L, number_attribute(value, "offset"));
    const long end_offset = number_attribute(value, "end_offset");
    problem.place.line = static_cast<std::uint32_t>(line);
    problem.place.end_line = static_cast<std::uint32_t>(end_line);
    problem.place.column = byte_column(line_of(code, line), offset);
    problem.place.end_column = end_offset > 0 ? byte_column(line_of(code, end_line), end_offset)
                                              : problem.place.column + 1;
    if (end_line == line) {
      problem.place.end_column = std::max(problem.place.end_column, problem.place.column + 1);
    }
    return problem;
  }
  problem.type = type != nullptr ? reinterpret_cast<PyTypeObject*>(type)->tp_name : "SystemError";
  problem.message = problem.type == "MemoryError"
                        ? "the expression is nested too deeply to be parsed"
                        : "the parser gave up on this text";
  return problem;
}

Result<std::unique_ptr<Interpreter>> Interpreter::start(std::optional<HashOrder> order,
                                                        Modules modules) {
  TRY(carry_library());
  // Texts and names of files are UTF-8, whatever the host's language is: there is no environment to
  // say so.
  PyPreConfig before;
  PyPreConfig_InitIsolatedConfig(&before);
  before.utf8_mode = 1;
  const PyStatus prepared = Py_PreInitialize(&before);
  if (PyStatus_Exception(prepared) != 0) return fail("start the interpreter: choose UTF-8");
  PyConfig config;
  PyConfig_InitIsolatedConfig(&config);
  // No site packages, no signal handlers of Python's (a signal ends us), no .pyc files.
  config.site_import = 0;
  config.install_signal_handlers = 0;
  config.write_bytecode = 0;
  config.buffered_stdio = 1;
  if (order) {
    // Any fixed numbers would do; two runs with the same one walk sets in the same order.
    config.use_hash_seed = 1;
    config.hash_seed = *order == HashOrder::kUsual ? 1 : 2;
  }
  PyStatus status = name_places(config);
  if (PyStatus_Exception(status) == 0) status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  if (PyStatus_Exception(status) != 0) {
    return fail(std::string("start the interpreter: ") +
                (status.err_msg != nullptr ? status.err_msg : "unknown reason"));
  }
  std::unique_ptr<Interpreter> interpreter(new Interpreter());
  if (modules == Modules::kAndInstalled) TRY(search_host_folders());
  // The parser normalizes identifiers past ASCII with unicodedata.
  for (const char* module : {"unicodedata", "warnings", "codecs"}) {
    const Ref loaded(PyImport_ImportModule(module));
    if (loaded.get() == nullptr) {
      PyErr_Clear();
      return fail(std::string("start the interpreter: load ") + module);
    }
  }
  // The parser warns about invalid escapes through the warnings module; nobody reads it here.
  const Ref warnings(PyImport_ImportModule("warnings"));
  const Ref ignored(PyObject_CallMethod(warnings.get(), "simplefilter", "s", "ignore"));
  PyErr_Clear();
  PyGC_Disable();  // trees live in arenas; a collection in the middle of a parse would only cost
                   // time
  return interpreter;
}

Interpreter::~Interpreter() {
  Py_FinalizeEx();
}

Tree::Tree(Tree&& other) noexcept
    : arena_(std::exchange(other.arena_, nullptr)),
      module_(std::exchange(other.module_, nullptr)) {}

Tree& Tree::operator=(Tree&& other) noexcept {
  std::swap(arena_, other.arena_);
  std::swap(module_, other.module_);
  return *this;
}

Tree::~Tree() {
  if (arena_ != nullptr) _PyArena_Free(arena_);
}

std::variant<Tree, SyntaxProblem> parse(const std::string& code) {
  // Not the name of a file: the parser tries to show the line from the file of that name.
  static PyObject* const filename = PyUnicode_InternFromString("<extractor>");
  PyArena* arena = _PyArena_New();
  if (arena == nullptr) return take_syntax_problem(code);
  PyCompilerFlags flags = _PyCompilerFlags_INIT;
  // The text was decoded already (text/decode.cc); CPython must not decode it in another way.
  flags.cf_flags = PyCF_IGNORE_COOKIE;
  mod_ty module = _PyParser_ASTFromString(code.c_str(), filename, Py_file_input, &flags, arena);
  if (module == nullptr) {
    _PyArena_Free(arena);
    return take_syntax_problem(code);
  }
  return Tree(arena, module);
}

std::string_view text_of(PyObject* text) {
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(text, &size);
  if (bytes == nullptr) {
    PyErr_Clear();
    return {};
  }
  return {bytes, static_cast<std::size_t>(size)};
}

}  // namespace airlock::python
