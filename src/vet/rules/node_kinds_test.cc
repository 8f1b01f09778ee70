// The judge's table of node kinds against the grammar of the interpreter itself.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "support/vetting.h"
#include "vet/rules/judge.h"

namespace airlock::vet {
namespace {

// The deprecated classes (Num, Str, Bytes, NameConstant, Ellipsis) derive from Constant and the old
// slices from nothing here, so a node kind is what derives from a family directly.
constexpr const char* kListKinds =
    "[name for name, kind in vars(__import__('ast')).items() if isinstance(kind, type)"
    " and kind.__bases__[0].__name__ in ('stmt', 'expr', 'pattern')]";

std::set<std::string> kinds_of_the_grammar() {
  test::start_interpreter();
  PyObject* scope = PyDict_New();
  PyDict_SetItemString(scope, "__builtins__", PyEval_GetBuiltins());
  PyObject* names = PyRun_String(kListKinds, Py_eval_input, scope, scope);
  std::set<std::string> kinds;
  for (Py_ssize_t i = 0; names != nullptr && i < PyList_Size(names); ++i)
    kinds.emplace(python::text_of(PyList_GetItem(names, i)));
  Py_XDECREF(names);
  Py_DECREF(scope);
  PyErr_Clear();
  return kinds;
}

TEST(NodeKinds, TheTableKnowsExactlyTheGrammarOfThisInterpreter) {
  const auto known = known_node_kinds();
  const std::set<std::string> table(known.begin(), known.end());
  EXPECT_EQ(table, kinds_of_the_grammar());
  EXPECT_EQ(table.size(), known.size()) << "a kind stands twice";
}

}  // namespace
}  // namespace airlock::vet
