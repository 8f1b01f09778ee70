// What the C tree says is what library/airlock_node/reading.py says with Python's own ast.
#include "python/node_code.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "python/ref.h"
#include "support/running_interpreter.h"

namespace airlock::python {
namespace {

Ref text(const std::string& value) {
  return Ref(PyUnicode_FromStringAndSize(value.data(), static_cast<Py_ssize_t>(value.size())));
}

// The declared types as repr() shows them; what was raised when nothing was read.
std::string shown(const Ref& read) {
  if (!read) {
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    const Ref type_ref(type), value_ref(value), trace_ref(trace);
    return reinterpret_cast<PyTypeObject*>(type)->tp_name;
  }
  const Ref words(PyObject_Repr(PyTuple_GetItem(read.get(), 1)));
  return std::string(text_of(words.get()));
}

std::string by_tree(const std::string& source) {
  return shown(Ref(read_node_code(text(source).get(), text("<test>").get())));
}

// The function read() of reading.py.
const Ref& reader() {
  static const Ref function = [] {
    std::ifstream file(AIRLOCK_SOURCE_DIR "/library/airlock_node/reading.py");
    std::stringstream source;
    source << file.rdbuf();
    const Ref code(Py_CompileString(source.str().c_str(), "reading.py", Py_file_input));
    const Ref module(PyImport_ExecCodeModule("reading", code.get()));
    return Ref(PyObject_GetAttrString(module.get(), "read"));
  }();
  return function;
}

std::string by_ast(const std::string& source) {
  return shown(Ref(PyObject_CallFunctionObjArgs(reader().get(), text(source).get(),
                                                text("<test>").get(), nullptr)));
}

TEST(NodeCode, DeclarationsOfTheModuleLevel) {
  test::start_interpreter();
  EXPECT_EQ(by_tree("data: list\nresult: dict = {}"), "{'data': 'list', 'result': 'dict'}");
  EXPECT_EQ(by_tree("x: list[dict[str, Any]]"), "{'x': 'list[dict[str, Any]]'}");
  EXPECT_EQ(by_tree("x: 'list[int]'"), "{'x': 'list[int]'}");
  EXPECT_EQ(by_tree("def f():\n    x: int = 1\nclass C:\n    y: int"), "{}");
  EXPECT_EQ(by_tree("x.y: int = 1\nz[0]: str = ''"), "{}");
}

TEST(NodeCode, BothReadersSayTheSame) {
  test::start_interpreter();
  for (const char* source : {
           "",
           "a: int\nb: list[int] = []\na: str",
           "if 1:\n    x: int = 1\nelif 2:\n    y: str\nelse:\n    z: dict[str, int]",
           "for i in []:\n    x: int\nelse:\n    y: int\nwhile 0:\n    z: int",
           "try:\n    a: int\nexcept E:\n    b: int\nelse:\n    c: int\nfinally:\n    d: int",
           "try:\n    a: int\nexcept* E:\n    b: int",
           "with a as b:\n    c: Optional[int] = None",
           "match x:\n    case 1:\n        a: int\n    case _:\n        b: int",
           "x: Literal['a', \"b\"]\ny: Callable[[int], str]\nz: tuple[int, ...]\nw: int | None",
           "x: a.b.C[int] = 1\ny: lambda: 0\nz: (yield)",
           "é: int\nx: 'not a ( type'",
           "x =",
           "def f(:\n  pass",
           "x: int = 1\n  y",
           "return 1",
       }) {
    EXPECT_EQ(by_tree(source), by_ast(source)) << source;
  }
}

TEST(NodeCode, ATypeThatDoesNotExistIsNotEvaluated) {
  test::start_interpreter();
  const Ref read(
      read_node_code(text("x: Nowhere = 1\nresult: AlsoNot = x").get(), text("<t>").get()));
  ASSERT_TRUE(read);
  const Ref globals(PyDict_New());
  PyDict_SetItemString(globals.get(), "__builtins__", PyEval_GetBuiltins());
  const Ref done(PyEval_EvalCode(PyTuple_GetItem(read.get(), 0), globals.get(), globals.get()));
  EXPECT_TRUE(done);
  PyErr_Clear();
  EXPECT_NE(PyDict_GetItemString(globals.get(), "result"), nullptr);
}

TEST(NodeCode, ANulByteIsRefused) {
  test::start_interpreter();
  EXPECT_EQ(by_tree(std::string("x = 1\0y", 7)), "ValueError");
}

}  // namespace
}  // namespace airlock::python
