#include "support/vetting.h"

namespace airlock::vet::test {
namespace {

TEST(Formats, ALiteralTemplateThatReadsNothingForbiddenIsFine) {
  expect_accepted({
      "x = '{} {0} {a}'.format(1, a=2)\n",
      "x = '{0.real} {0[key]} {a!r:>{w}}'.format(1, a=2, w=3)\n",
      "x = '{{0.__class__}}'.format(1)\n",
      "x = '{0[.__class__]}'.format({})\n",
      "T = '{a}'\nx = T.format(a=1)\n",
      "T = {'a': '{a}', 'b': '{b}'}\nx = T['a'].format(a=1)\n",
      "T = ['{a}', '{b}']\nfor t in T:\n    x = t.format(a=1, b=2)\n",
      "class C:\n    T = '{a}'\n    def f(self):\n        return self.T.format(a=1)\n",
      "x = ('{a}' if 1 else '{b}').format(a=1, b=2)\n",
      "x = ' '.join(map('{:>3}'.format, [1, 2]))\n",
      "x = str.format('{}', 1)\n",
      "from datetime import date\nx = format(1, '>3')\n",
  });
}

TEST(Formats, ATemplateThatWalksIntoTheInterpreterIsRefused) {
  expect_scanned({
      {"x = '{0.__class__}'.format(1)\n", {"AL209 __class__ 1:4"}},
      {"x = '{a.__class__.__base__}'.format(a=1)\n", {"AL209 __class__ 1:4", "AL209 __base__ 1:4"}},
      {"x = '{0[a].__class__}'.format({})\n", {"AL209 __class__ 1:4"}},
      {"x = '{:{0.__class__}}'.format(1)\n", {"AL209 __class__ 1:4"}},
      {"x = '{0.__class__!r}'.format(1)\n", {"AL209 __class__ 1:4"}},
      {"x = ('{0.__cl' + 'ass__}').format(1)\n", {"AL209 __class__ 1:4"}},
      {"T = '{0.__class__}'\nx = T.format(1)\n", {"AL209 __class__ 2:4"}},
      {"x = '{a.gi_frame}'.format_map({})\n", {"AL209 gi_frame 1:4"}},
      {"x = str.format('{0.__class__}', 1)\n", {"AL209 __class__ 1:4"}},
      {"f = '{0.__class__}'.format\n", {"AL209 __class__ 1:4"}},
      {"x = '{0.read_text}'.format(1)\n", {"AL209 read_text 1:4"}},
  });
}

TEST(Formats, ATemplateThatIsNotKnownIsRefused) {
  expect_scanned({
      {"def f(t):\n    return t.format(1)\n", {"AL209 format 2:11"}},
      {"def f(t):\n    return str.format(t, 1)\n", {"AL209 format 2:11"}},
      {"def f(t):\n    return t.format\n", {"AL209 format 2:11"}},
      {"f = str.format\n", {"AL209 format 1:4"}},
      {"x = input_.format(1)\n", {"AL217 input_ 1:4", "AL209 format 1:4"}},
      {"def f(t):\n    T = '{a}'\n    T = t\n    return T.format(a=1)\n", {"AL209 format 4:11"}},
      {"T = {}\ndef f(t):\n    T['a'] = t\n    return T['a'].format(1)\n", {"AL209 format 4:11"}},
      {"x = str.format(*['{}', 1])\n", {"AL209 format 1:4"}},
  });
}

TEST(Formats, ATableFilledBeforeItIsMadeIsNotKnown) {
  EXPECT_EQ(
      errors_of(scan(
          "def fill(t):\n    T.append(t)\nT = ['{a}']\ndef f():\n    return T[0].format(a=1)\n")),
      (std::vector<std::string>{"AL209 format 5:11"}));
}

TEST(Formats, OnesOwnFormatMethodIsOnesOwn) {
  expect_accepted({"class C:\n    def format(self, x):\n        return x\n\nx = C().format(1)\n"});
}

TEST(Formats, ATemplateIsAllThatItMayBe) {
  for (const char* code : {
           "for n in ('upper', 'format'):\n    f = getattr('a', n)\n",
           "for t in {str(): 'x'}:\n    t.format(1)\n",
           "T = ['{0.']\nT[0] += 'a}'\nx = T[0].format(1)\n",
           "class A:\n    T = '{0.'\n    def f(self):\n        self.T += 'a}'\n        return "
           "self.T.format(1)\n",
           "T = {'a': 'x'}\nx = T.get(*['b', str()]).format(1)\n",
           "T = ['x']\nput = T.append\nx = T[0].format(1)\n",
           "if 0:\n    __doc__ = 'x'\nx = __doc__.format(1)\n",
           "from dataclasses import dataclass\n@dataclass\nclass R:\n    t: str = ''\nx = "
           "R(str()).t.format(1)\n",
           "class A:\n    def format(self):\n        pass\ndef f(a: A):\n    return a.format(1)\n",
           "class A:\n    def format(self, x):\n        pass\n    def f(self):\n        return "
           "self.format(1)\nA.f('{0.x}')\n",
           "class T(str):\n    pass\nclass R:\n    format: str = ''\nf = T('a').format\n",
           "class E(SyntaxError):\n    pass\nclass R:\n    text = 'x'\nx = "
           "E(str()).text.format(1)\n",
       }) {
    EXPECT_TRUE(has(scan(code), RuleCode::kFormatTemplate)) << code;
  }
}

TEST(Formats, KnownTemplatesAndOnesOwnFormatPass) {
  expect_accepted({
      "for n in ('upper', 'lower'):\n    f = getattr('a', n)\n",
      "for t in ('{}', '{:>3}'):\n    t.format(1)\n",
      "T = {'a': '{}', 'b': '{:>4}'}\nx = T.get('a', '-').format(1)\n",
      "class A:\n    T = '{x}'\n    @classmethod\n    def make(cls):\n        return cls()\n    "
      "def "
      "f(self):\n        return self.T.format(x=1)\nx = A.make().f()\n",
      "from dataclasses import dataclass\nfrom typing import ClassVar\n@dataclass\nclass R:\n    "
      "T: "
      "ClassVar[str] = '{}'\n    def f(self):\n        return self.T.format(1)\n",
      "class A:\n    def format(self, x):\n        return x\na = A()\nx = a.format(1)\n",
      "class R:\n    def __init__(self):\n        self.format = 'csv'\n    def f(self):\n        "
      "return self.format\n",
  });
}

}  // namespace
}  // namespace airlock::vet::test
