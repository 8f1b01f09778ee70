#include "vet/vet_test_support.h"

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

}  // namespace
}  // namespace airlock::vet::test
