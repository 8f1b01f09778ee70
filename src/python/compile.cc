// The tree that was vetted becomes the code that runs; the text is not read a second
// time.
#include "python/guest_code.h"
// After Python.h, which it needs.
#include <marshal.h>

#include "python/ref.h"

// Internal functions of CPython that its library exports, but no header that compiles as C++.
extern "C" PyCodeObject* _PyAST_Compile(mod_ty module, PyObject* filename, PyCompilerFlags* flags,
                                        int optimize, PyArena* arena);
extern "C" int _PyArena_AddPyObject(PyArena* arena, PyObject* object);

namespace airlock::python {

namespace {

std::variant<std::string, SyntaxProblem> compile_as(const Tree& tree, const std::string& code,
                                                    PyObject* filename, int cf_flags) {
  PyCompilerFlags flags = _PyCompilerFlags_INIT;
  flags.cf_flags |= cf_flags;
  // 0: no optimization, so that assert statements stay, whatever flags the interpreter has.
  PyCodeObject* compiled = _PyAST_Compile(tree.module(), filename, &flags, 0, tree.arena());
  if (compiled == nullptr) return take_syntax_problem(code);
  // The format of .pyc files. It is not safe to read from strangers; the only reader is a cell,
  // which is as locked up as the code that it reads.
  PyObject* bytes =
      PyMarshal_WriteObjectToString(reinterpret_cast<PyObject*>(compiled), Py_MARSHAL_VERSION);
  Py_DECREF(compiled);
  if (bytes == nullptr) return take_syntax_problem(code);
  std::string out(PyBytes_AS_STRING(bytes), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes)));
  Py_DECREF(bytes);
  return out;
}

// A last statement that is an expression becomes an assignment of its value. False with an
// exception set.
bool keep_last_value(Tree& tree) {
  asdl_stmt_seq* body = tree.module()->v.Module.body;
  const Py_ssize_t count = body == nullptr ? 0 : asdl_seq_LEN(body);
  if (count == 0) return true;
  stmt_ty last = asdl_seq_GET(body, count - 1);
  if (last->kind != Expr_kind) return true;
  PyObject* name = PyUnicode_InternFromString(kPieceValue);
  if (name == nullptr || _PyArena_AddPyObject(tree.arena(), name) < 0) return false;
  expr_ty target = _PyAST_Name(name, Store, last->lineno, last->col_offset, last->end_lineno,
                               last->end_col_offset, tree.arena());
  asdl_expr_seq* targets = _Py_asdl_expr_seq_new(1, tree.arena());
  if (target == nullptr || targets == nullptr) return false;
  asdl_seq_SET(targets, 0, target);
  stmt_ty kept = _PyAST_Assign(targets, last->v.Expr.value, nullptr, last->lineno, last->col_offset,
                               last->end_lineno, last->end_col_offset, tree.arena());
  if (kept == nullptr) return false;
  asdl_seq_SET(body, count - 1, kept);
  return true;
}

}  // namespace

std::variant<std::string, SyntaxProblem> compile_tree(const Tree& tree, const std::string& code) {
  // The name that all frames of the guest carry: tracebacks and airlock_guest_line() know them by
  // it.
  static PyObject* const filename = PyUnicode_InternFromString("<extractor>");
  return compile_as(tree, code, filename, 0);
}

std::variant<std::string, SyntaxProblem> compile_piece(Tree& tree, const std::string& code,
                                                       std::uint32_t number) {
  const Ref filename(PyUnicode_FromFormat("<piece %u>", static_cast<unsigned>(number)));
  if (!filename || !keep_last_value(tree)) return take_syntax_problem(code);
  return compile_as(tree, code, filename.get(), PyCF_ALLOW_TOP_LEVEL_AWAIT);
}

}  // namespace airlock::python
