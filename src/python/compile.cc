// compile_tree: the tree that was vetted becomes the code that runs; the text is not read a second
// time.
#include "python/guest_code.h"
// After Python.h, which it needs.
#include <marshal.h>

// An internal function of CPython that its library exports, but no header that compiles as C++.
extern "C" PyCodeObject* _PyAST_Compile(mod_ty module, PyObject* filename, PyCompilerFlags* flags,
                                        int optimize, PyArena* arena);

namespace airlock::python {

std::variant<std::string, SyntaxProblem> compile_tree(const Tree& tree, const std::string& code) {
  // The name that all frames of the guest carry: tracebacks and airlock_guest_line() know them by
  // it.
  static PyObject* const filename = PyUnicode_InternFromString("<extractor>");
  PyCompilerFlags flags = _PyCompilerFlags_INIT;
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

}  // namespace airlock::python
