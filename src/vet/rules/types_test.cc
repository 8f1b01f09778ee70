// What type(x) gives: compared, named, printed and tested; and not called, kept or handed on.
#include "support/vetting.h"

namespace airlock::vet::test {
namespace {

TEST(Types, TheClassIsShownAndCompared) {
  expect_accepted({
      "def f(x):\n    return type(x).__name__\n",
      "def f(x):\n    return str(type(x)) + repr(type(x)) + f'{type(x)}' + '%s' % type(x)\n",
      "def f(x):\n    return '{} {k}'.format(type(x), k=type(x))\n",
      "def f(x, y):\n    return type(x) is int or type(x) == str or type(x) != type(y)\n",
      "def f(x):\n    return type(x) in (int, str)\n",
      "KINDS = (int, str)\ndef f(x):\n    return type(x) not in KINDS\n",
      "NAMES = {int: 'n', type(None): 'none'}\ndef f(x):\n    return NAMES[type(x)], "
      "NAMES.get(type(x), '')\n",
      "def f(x, y):\n    return isinstance(y, type(x)) or issubclass(type(x), int)\n",
      "def f(x):\n    kind = type(x)\n    print(kind)\n    return kind.__name__ if kind is int "
      "else "
      "f'{kind}'\n",
      "def f(x):\n    type(x)\n",
  });
}

TEST(Types, OfALiteralOrAnOwnObjectItIsTheClassItself) {
  expect_accepted({
      "class A:\n    def copy(self):\n        return type(self)()\n",
      "class A:\n    KINDS = {}\n    def f(self):\n        return type(self).KINDS\n",
      "a = [1]\nb = type(a)(range(3))\n",
      "x = {type(None): 1, type(''): 2}\n",
      "class A:\n    pass\na = A()\nb = type(a)()\n",
  });
}

TEST(Types, OtherwiseItStaysWhereItIs) {
  for (const char* code : {
           "def f(x):\n    return type(x)\n",
           "def f(x):\n    return type(x)(1)\n",
           "def f(x):\n    return [type(x)]\n",
           "def f(x):\n    yield type(x)\n",
           "def f(x, g):\n    return g(type(x))\n",
           "def f(x):\n    raise TypeError(type(x))\n",
           "def f(x, table):\n    return table[type(x)]\n",
           "def f(x, y):\n    return type(x) == y\n",
           "def f(x, y):\n    return type(x) in y\n",
           "T = type(int)\nX = T('X', (), {})\n",
           "T = type(int)\nclass M(T):\n    pass\n",
           "T = type(int)\nT.x = 1\n",
           "T = type(k := type(''))\nX = [T]\n",
           "class A:\n    kind = type(A)\n",
           "class A:\n    def kind(self):\n        return type(self)\nT = A.kind(int)\n",
           "class A:\n    @staticmethod\n    def kind(x):\n        return type(x)\n",
           "class A:\n    def __init_subclass__(cls):\n        cls.t = type(cls)\n",
           "if False:\n    int = 5\nT = [type(int)]\n",
           "def f(x, t=type(int)):\n    return t\n",
           "def f(x):\n    kind = type(x)\n    def g():\n        return kind\n    return g\n",
           "def f(x):\n    kind = type(x)\n    kind = 1\n    return kind\n",
       }) {
    EXPECT_TRUE(has(scan(code), RuleCode::kDynamicClass)) << code;
  }
}

TEST(Types, ARefusalNamesThePlaceAndAFix) {
  const Verdict verdict = scan("def f(x):\n    return type(x)(1)\n");
  ASSERT_EQ(errors_of(verdict), std::vector<std::string>{"AL216 type 2:11"});
  EXPECT_NE(verdict.findings[0].suggestion.find("type(x).__name__"), std::string::npos);
}

}  // namespace
}  // namespace airlock::vet::test
