#include "python/show_value.h"

#include <gtest/gtest.h>

#include "python/ref.h"
#include "support/running_interpreter.h"

namespace airlock::python {
namespace {

Ref evaluate(const char* expression) {
  test::start_interpreter();
  const Ref globals(PyDict_New());
  PyDict_SetItemString(globals.get(), "__builtins__", PyEval_GetBuiltins());
  return Ref(PyRun_String(expression, Py_eval_input, globals.get(), globals.get()));
}

ShownValue show(const char* expression, std::size_t bytes = 10000) {
  const Ref value = evaluate(expression);
  return show_value(value.get(), {.bytes = bytes, .depth = 5, .reprs = 2}, [](PyObject* one) {
    return std::pair<std::string, std::string>(Py_TYPE(one)->tp_name, "R");
  });
}

TEST(ShowValue, JsonStaysAsItIs) {
  const auto shown = show("{'a': [1, 2.5, None, True], 'b': {'c': 'x\\n\"'}, 'big': 10**25}");
  EXPECT_EQ(shown.json,
            R"({"a":[1,2.5,null,true],"b":{"c":"x\n\""},"big":10000000000000000000000000})");
  EXPECT_TRUE(shown.is_exact);
  EXPECT_TRUE(shown.is_json);
}

TEST(ShowValue, TwoKeysThatAreOneInJsonAreNamed) {
  EXPECT_EQ(show("{1: 2, '1': 3}").doubled, "1 and \"1\"");
  EXPECT_EQ(show("[{'a': {'null': 2, None: 3}}]").doubled, "\"null\" and None");
  EXPECT_EQ(show("({False: 2, 'false': 3},)").doubled, "False and \"false\"");
  EXPECT_EQ(show("{1e3: 2, '1000.0': 3}").doubled, "1000.0 and \"1000.0\"");
  EXPECT_EQ(show("{10**5000: 2, 10**5001: 3}").doubled,
            "(a number too long to write) and (a number too long to write)");
  for (const char* expression : {"{1: 2, '2': 3, None: 4}", "{'a': {'a': {'a': 1}}}", "{(1,): 2}"})
    EXPECT_EQ(show(expression).doubled, "") << expression;
}

TEST(ShowValue, WhatJsonCannotSayIsNotExact) {
  for (const char* expression : {"(1, 2)", "{1: 2}", "type('S', (str,), {})('x')", "'\\ud800'"}) {
    const auto shown = show(expression);
    EXPECT_FALSE(shown.is_exact) << expression;
    EXPECT_TRUE(shown.is_json) << expression;
  }
  EXPECT_EQ(show("{1: 2, None: 3, True: 4}").json, R"({"1":4,"null":3})");
}

TEST(ShowValue, OtherObjectsAreShownByTypeAndRepr) {
  const auto shown = show("[{1}, b'x', float('nan'), 5]");
  EXPECT_EQ(shown.json,
            R"([{"$type":"set","repr":"R"},{"$type":"bytes","repr":"R"},{"$type":"float"},5])");
  EXPECT_FALSE(shown.is_json);
}

TEST(ShowValue, DepthCirclesAndSizeAreBounded) {
  EXPECT_EQ(show("[[[[[[1]]]]]]").json, R"([[[[[{"$type":"list","repr":"R"}]]]]])");
  EXPECT_EQ(show("(lambda x: (x.append(x), x)[1])([1])").json,
            R"([1,{"$type":"list","repr":"R"}])");
  EXPECT_EQ(show("list(range(10**6))", 1000).json, R"({"$type":"list","repr":"R"})");
  EXPECT_EQ(show("'x' * 10**6", 1000).json, R"({"$type":"str","repr":"R"})");
}

}  // namespace
}  // namespace airlock::python
