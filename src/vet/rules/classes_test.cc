#include "support/vetting.h"

namespace airlock::vet::test {
namespace {

TEST(Classes, PlainClassesAreFine) {
  expect_accepted({
      "class C:\n    pass\n",
      "class C(Exception):\n    def __init__(self, x):\n        super().__init__(x)\n",
      "from typing import NamedTuple\nclass P(NamedTuple):\n    a: int\n",
      "from enum import Enum\nclass E(Enum):\n    A = 1\n",
      "from collections import namedtuple\nclass P(namedtuple('P', 'a b')):\n    def f(self):\n    "
      "    return self.a\n",
      "from typing import Generic, TypeVar\nT = TypeVar('T')\nclass C(Generic[T]):\n    pass\n",
      "from dataclasses import dataclass, field\n@dataclass(frozen=True)\nclass C:\n    a: list = "
      "field(default_factory=list)\n",
      "from typing import TypedDict\nclass D(TypedDict, total=False):\n    a: int\n",
  });
}

TEST(Classes, ProtocolMethodsMayBeDefined) {
  expect_accepted({
      "class C:\n    def __eq__(self, other):\n        return True\n    def __hash__(self):\n      "
      "  return 1\n",
      "class C:\n    def __len__(self):\n        return 1\n    def __iter__(self):\n        return "
      "iter([])\n",
      "class C:\n    __slots__ = ('a',)\n",
  });
}

TEST(Classes, OtherSpecialNamesMayNotBeDefined) {
  expect_scanned({
      {"class C:\n    __annotations__ = {}\n", {"AL214 __annotations__ 2:4"}},
      {"class C:\n    def __getattribute__(self, n):\n        return 1\n",
       {"AL214 __getattribute__ 2:4"}},
      {"class C:\n    def __prepare__(cls, n):\n        return 1\n", {"AL214 __prepare__ 2:4"}},
      {"class C:\n    def __reduce__(self):\n        return 1\n", {"AL214 __reduce__ 2:4"}},
      {"class __C__:\n    pass\n", {"AL214 __C__ 1:0"}},
  });
}

TEST(Classes, MetaclassesAreRefused) {
  expect_scanned({
      {"class M:\n    pass\nclass C(metaclass=M):\n    pass\n", {"AL216 metaclass 3:8"}},
      {"k = {}\nclass C(**k):\n    pass\n", {"AL216 ** 2:8"}},
  });
}

TEST(Classes, BasesMustBeNamed) {
  expect_scanned({
      {"def f():\n    return int\nclass C(f()):\n    pass\n", {"AL216 base class 3:8"}},
      {"class C(*[int]):\n    pass\n", {"AL216 base class 1:8"}},
      {"class C(int if 1 else str):\n    pass\n", {"AL216 base class 1:8"}},
      {"class C((lambda: int)()):\n    pass\n", {"AL216 base class 1:8"}},
  });
}

TEST(Classes, EnumsMadeByACallNeedLiteralNames) {
  expect_accepted({"from enum import Enum\nE = Enum('E', 'A B')\n",
                   "from enum import Enum\nclass E(Enum):\n    A = 1\nx = E(1)\n"});
  EXPECT_EQ(errors_of(scan("from enum import Enum\ndef f(n):\n    return Enum('E', n)\n")),
            (std::vector<std::string>{"AL216 Enum 3:11"}));
}

TEST(Classes, MatchArgsAreLiteralPublicNames) {
  expect_accepted({"class C:\n    __match_args__ = ('a', 'b')\n"});
  expect_scanned({
      {"class C:\n    __match_args__ = ('__class__',)\n", {"AL214 __match_args__ 2:4"}},
      {"n = ('a',)\nclass C:\n    __match_args__ = n\n", {"AL214 __match_args__ 3:4"}},
  });
}

TEST(Classes, AnEnumWithoutMembersMakesClasses) {
  const std::string head =
      "from enum import Enum\nclass A(Enum):\n    pass\nclass B(A):\n    pass\n";
  for (const char* code : {
           "B('X', [(str(), 1)])\n",
           "x = [B]\n",
           "def f(c):\n    return c('X', [(str(), 1)])\nf(B)\n",
           "B.__call__('X', [(str(), 1)])\n",
           "B('X', 'a b', module='os')\n",
       }) {
    EXPECT_FALSE(errors_of(scan(head + code)).empty()) << code;
  }
  expect_accepted({
      "from enum import Enum\nclass Base(Enum):\n    def f(self):\n        return 1\nclass "
      "K(Base):\n    A = 1\nx = [K]\ny = K(1)\n",
      "from enum import Enum\nclass K(Enum):\n    A = 1\n    _ignore_ = ['x']\nx = list(K)\n",
      "from enum import Enum\nclass K(str, Enum):\n    A = 'a'\ndef f(c, v):\n    return "
      "c(v)\nf(K, "
      "'a')\n",
  });
}

TEST(Classes, NamesOfFieldsAreLiterals) {
  const std::string head = "from collections import namedtuple\n";
  EXPECT_FALSE(errors_of(scan(head + "X = namedtuple('X', [str()])\n")).empty());
  EXPECT_FALSE(
      errors_of(scan(head + "F = ['a']\nF.append(str())\nX = namedtuple('X', F)\n")).empty());
  EXPECT_FALSE(errors_of(scan(head + "X = namedtuple('X', 'a', module='os')\n")).empty());
  expect_accepted({
      "from collections import namedtuple\nF = ['a', 'b']\nX = namedtuple('X', F, defaults=(1,))\n",
      "from collections import namedtuple\nX = namedtuple('X', 'a b'.split())\n",
      "from typing import NamedTuple\nX = NamedTuple('X', [('a', int)])\n",
  });
}

TEST(Classes, DataclassIsForClassStatements) {
  const std::string head = "from dataclasses import dataclass\nclass A:\n    x: int\n";
  for (const char* code : {"def f(c):\n    return dataclass(c)\n", "d = dataclass\n",
                           "d = dataclass(init=False)\n", "dataclass(init=False)([A][0])\n"}) {
    EXPECT_TRUE(has(scan(head + code), RuleCode::kDynamicClass)) << code;
  }
  expect_accepted({
      "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass A:\n    x: int\n",
      "import dataclasses\n@dataclasses.dataclass\nclass A:\n    x: int\n",
      "from dataclasses import dataclass\nclass A:\n    x: int\nA2 = dataclass(A)\n",
  });
}

TEST(Classes, MembersAreReadWhereTheyStand) {
  EXPECT_FALSE(errors_of(scan("import re\nx = re.RegexFlag.__members__\n")).empty());
  EXPECT_FALSE(errors_of(scan("def f(c, o):\n    return c.__members__ == o\n")).empty());
  EXPECT_FALSE(errors_of(scan("from typing import Type\nclass M(Type):\n    pass\n")).empty());
  expect_accepted({
      "def f(c, n):\n    return c.__members__[n] if n in c.__members__ else list(c.__members__)\n",
      "def f(c):\n    return {k: v.value for k, v in c.__members__.items()}\n",
      "from enum import Enum\nclass K(Enum):\n    A = 1\nx = K.__members__\n",
  });
}

}  // namespace
}  // namespace airlock::vet::test
