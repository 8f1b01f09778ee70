#include "support/vetting.h"

namespace airlock::vet::test {
namespace {

TEST(Calls, GetattrTakesALiteralHarmlessName) {
  expect_accepted({
      "x = getattr('', 'upper')\n",
      "x = getattr('', 'upper', None)\n",
      "x = hasattr('', 'upper')\n",
      "class C:\n    pass\nc = C()\nsetattr(c, 'x', 1)\ndelattr(c, 'x')\n",
      "for key in ('lower', 'upper'):\n    x = getattr('', key)\n",
  });
}

TEST(Calls, GetattrWithAComputedNameIsRefused) {
  expect_scanned({
      {"def f(n):\n    return getattr('', n)\n", {"AL208 getattr 2:11"}},
      {"x = getattr('', 'up' + 'per')\n", {"AL208 getattr 1:4"}},
      {"x = getattr('', f'upper')\n", {"AL208 getattr 1:4"}},
      {"x = getattr(*['', 'upper'])\n", {"AL208 getattr 1:4"}},
      {"x = getattr('', 'upper', **{})\n", {"AL208 getattr 1:4"}},
      {"x = getattr\n", {"AL208 getattr 1:4"}},
      {"x = map(getattr, [], [])\n", {"AL208 getattr 1:8"}},
      {"x = hasattr('', str(1))\n", {"AL208 hasattr 1:4"}},
      {"def f(n):\n    setattr(f, n, 1)\n", {"AL208 setattr 2:4"}},
  });
}

TEST(Calls, GetattrIsJudgedAsTheDotItStandsFor) {
  expect_scanned({
      {"x = getattr((), '__class__')\n", {"AL205 __class__ 1:4"}},
      {"from pathlib import Path\nx = getattr(Path('a'), 'read_text')\n", {"AL206 read_text 2:4"}},
      {"x = getattr('', 'format')\n", {"AL209 getattr 1:4"}},
      {"import re\nx = getattr(re, 'enum')\n", {"AL207 re 2:12"}},
      {"from datetime import date\nsetattr(date, 'today', None)\n", {"AL213 today 2:0"}},
      {"class C:\n    pass\nsetattr(C, '__init__', len)\n", {"AL214 __init__ 3:0"}},
      {"for key in ('upper', '__class__'):\n    x = getattr('', key)\n", {"AL205 __class__ 2:8"}},
  });
}

TEST(Calls, TypeIsForLookingNotForMaking) {
  expect_accepted({
      "x = type(1).__name__\n",
      "def f(x):\n    return type(x) is int\n",
      "def f(x):\n    return isinstance(x, type)\n",
      "def f(x):\n    return isinstance(x, (str, type))\n",
      "x: type = int\n",
  });
  expect_scanned({
      {"x = type('X', (), {})\n", {"AL216 type 1:4"}},
      {"t = type\n", {"AL216 type 1:4"}},
      {"class M(type):\n    pass\n", {"AL216 type 1:8"}},
      {"x = type(*[1])\n", {"AL216 type 1:4"}},
      {"x = type(int)('X', (), {})\n", {"AL216 type 1:4"}},
  });
}

TEST(Calls, AForbiddenNamePutTogetherIsFound) {
  expect_scanned({
      {"x = '__imp' + 'ort__'\n", {"AL212 __import__ 1:4"}},
      {"x = '__' + 'class' + '__'\n", {"AL212 __class__ 1:4"}},
      {"x = '__ssalc__'[::-1]\n", {"AL212 __class__ 1:4"}},
      {"x = ''.join(['ev', 'al'])\n", {"AL212 eval 1:4"}},
      {"x = 'e' + chr(118) + 'al'\n", {"AL212 eval 1:4"}},
      {"a = '__glo'\nx = f'{a}bals__'\n", {"AL212 __globals__ 2:4"}},
      {"x = '_' * 2 + 'class' + '_' * 2\n", {"AL212 __class__ 1:4"}},
  });
}

TEST(Calls, OrdinaryWordsMayBePutTogether) {
  expect_accepted({
      "x = 'op' + 'en'\n",
      "x = 'report_' + str(1)\n",
      "x = '-'.join(['a', 'b'])\n",
      "x = '__' + 'name' + '__'\n",
      "x = 'abc'[::-1]\n",
  });
}

TEST(Calls, WhatIsCalledAndWhatIsPassedIsJudgedToo) {
  expect_scanned({
      {"print(eval)\n", {"AL203 eval 1:6"}},
      {"print(key=eval)\n", {"AL203 eval 1:10"}},
      {"print(*[eval])\n", {"AL203 eval 1:8"}},
      {"print(**{'a': eval})\n", {"AL203 eval 1:14"}},
      {"(lambda: eval)()\n", {"AL203 eval 1:9"}},
      {"''.join(eval)\n", {"AL203 eval 1:8"}},
      {"x = isinstance(eval, int)\n", {"AL203 eval 1:15"}},
      {"x = getattr(eval, 'x')\n", {"AL203 eval 1:12"}},
      {"x = type(eval)\n", {"AL203 eval 1:9"}},
  });
}

}  // namespace
}  // namespace airlock::vet::test
