#include "vet/vet_test_support.h"

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

}  // namespace
}  // namespace airlock::vet::test
