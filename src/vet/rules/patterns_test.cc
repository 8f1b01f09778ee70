#include "support/vetting.h"

namespace airlock::vet::test {
namespace {

// One case in a match.
std::vector<std::string> errors_in(std::string_view pattern) {
  return errors_of(scan("class Row:\n    a = 1\ndef f(x):\n    match x:\n        case " +
                        std::string(pattern) + ":\n            pass\n"));
}

TEST(Patterns, HarmlessPatternsAreFine) {
  for (const char* pattern : {"1", "-1 + 2j", "'a' | b'b'", "None", "[1, *rest]", "(a, b)",
                              "{'k': v, **rest}", "Row(a=1)", "str(s)", "int() as i",
                              "Row(a=[1, {'k': str()}])", "_", "whole", "float('x')"}) {
    EXPECT_EQ(errors_in(pattern), std::vector<std::string>()) << pattern;
  }
}

TEST(Patterns, AClassPatternReadsAttributesAndIsJudgedAsIfItHadADot) {
  const struct {
    const char* pattern;
    std::vector<std::string> errors;
  } cases[] = {
      {"Row(__class__=c)", {"AL210 __class__ 5:13"}},
      {"Row(gi_frame=c)", {"AL210 gi_frame 5:13"}},
      {"str(format=f)", {"AL210 format 5:13"}},
      {"str(read_text=f)", {"AL210 read_text 5:13"}},
      {"Row(_private=p)", {"AL210 _private 5:13"}},
      {"[Row(a=Row(__dict__=d))]", {"AL210 __dict__ 5:20"}},
      {"1 | Row(__class__=int())", {"AL210 __class__ 5:17"}},
      {"object(a=1)", {"AL210 object 5:13"}},
      {"object(__self__=s)", {"AL210 object 5:13", "AL210 __self__ 5:13"}},
  };
  for (const auto& one : cases) EXPECT_EQ(errors_in(one.pattern), one.errors) << one.pattern;
}

TEST(Patterns, CapturesAreBindings) {
  EXPECT_EQ(errors_in("__class__"), (std::vector<std::string>{"AL214 __class__ 5:13"}));
  EXPECT_EQ(errors_in("[*__x__]"), (std::vector<std::string>{"AL214 __x__ 5:14"}));
  EXPECT_EQ(errors_in("{**__x__}"), (std::vector<std::string>{"AL214 __x__ 5:13"}));
  EXPECT_EQ(errors_in("1 as __x__"), (std::vector<std::string>{"AL214 __x__ 5:13"}));
}

TEST(Patterns, NamesInPatternsAreReads) {
  EXPECT_EQ(errors_in("undefined.x"), (std::vector<std::string>{"AL217 undefined 5:13"}));
  EXPECT_EQ(errors_in("eval(x)"), (std::vector<std::string>{"AL203 eval 5:13"}));
  EXPECT_EQ(errors_in("{Row.__class__: 1}"), (std::vector<std::string>{"AL205 __class__ 5:14"}));
}

TEST(Patterns, AGuardIsCode) {
  EXPECT_EQ(errors_in("1 if eval('x')"), (std::vector<std::string>{"AL203 eval 5:18"}));
}

TEST(Patterns, AGuardedClassHidesNoFileOperation) {
  EXPECT_EQ(errors_of(scan("from pathlib import Path\nmatch Path('a'):\n    case "
                           "Path(parent=Path(owner=o)):\n        pass\n")),
            (std::vector<std::string>{"AL210 owner 3:21"}));
}

TEST(Patterns, ByPlaceOnlyForClassesThatAreKnown) {
  for (const char* code : {
           "def f(x, C):\n    match x:\n        case C(y):\n            return y\n",
           "from dataclasses import dataclass\n@dataclass\nclass P:\n    gi_frame: int\nmatch 1:\n "
           "   "
           "case P(y):\n        pass\n",
           "from pathlib import PosixPath\nclass P(PosixPath):\n    pass\nmatch 1:\n    case "
           "P(y):\n  "
           "      pass\n",
           "def deco(c):\n    return c\n@deco\nclass P:\n    x: int\nmatch 1:\n    case P(y):\n    "
           "  "
           "  pass\n",
           "class P:\n    pass\nclass P:\n    pass\nmatch 1:\n    case P(y):\n        pass\n",
       }) {
    EXPECT_TRUE(has(scan(code), RuleCode::kClassPattern)) << code;
  }
  EXPECT_FALSE(
      errors_of(scan("class P:\n    for __match_args__ in [('a',)]:\n        pass\n")).empty());
  expect_accepted({
      "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\nclass Q(P):\n    "
      "pass\nmatch 1:\n    case P(y) | Q(y):\n        pass\n",
      "match 1:\n    case int(y) | str(y):\n        pass\n",
      "from collections import namedtuple\nR = namedtuple('R', 'a b')\nmatch 1:\n    case R(a, "
      "b):\n "
      "       pass\n",
      "from typing import NamedTuple\nclass R(NamedTuple):\n    a: int\nmatch 1:\n    case R(a):\n "
      "   "
      "    pass\n",
  });
}

}  // namespace
}  // namespace airlock::vet::test
