#include "support/vetting.h"

namespace airlock::vet::test {
namespace {

TEST(NameReads, AllowedBuiltinsMayBeUsedInAnyWay) {
  expect_accepted({
      "x = len('a')\n",
      "f = sorted\n",
      "x = list(map(int, '12'))\n",
      "def f(key=len):\n    return key\n",
  });
}

TEST(NameReads, RefusedBuiltinsAreRefusedAsAnyKindOfRead) {
  expect_scanned({
      {"eval('1')\n", {"AL203 eval 1:0"}},
      {"e = eval\n", {"AL203 eval 1:4"}},
      {"x = [open][0]\n", {"AL203 open 1:5"}},
      {"def f(x=exec):\n    pass\n", {"AL203 exec 1:8"}},
      {"f = lambda: compile\n", {"AL203 compile 1:12"}},
      {"@eval\ndef f():\n    pass\n", {"AL203 eval 1:1"}},
      {"x: eval = 1\n", {"AL203 eval 1:3"}},
      {"print(f'{open}')\n", {"AL203 open 1:9"}},
      {"class C(open):\n    pass\n", {"AL203 open 1:8"}},
      {"x = __import__('os')\n", {"AL203 __import__ 1:4"}},
      {"x = __builtins__\n", {"AL203 __builtins__ 1:4"}},
      {"x = globals()\n", {"AL203 globals 1:4"}},
  });
}

TEST(NameReads, LettersThatPythonReadsAsOthersAreReadSo) {
  EXPECT_EQ(errors_of(scan("ｅｖａｌ('1')\n")), (std::vector<std::string>{"AL203 eval 1:0"}));
  EXPECT_NE(scan("ｅｖａｌ('1')\n").findings[0].message.find("written 'ｅｖａｌ'"),
            std::string::npos);
}

TEST(NameReads, AFunctionsOwnNameIsNotTheBuiltin) {
  expect_accepted({
      "def f(open):\n    return open\n",
      "def f():\n    eval = 1\n    return eval\n",
      "def f():\n    for input in '12':\n        print(input)\n",
      "x = [open for open in '12']\n",
      "f = lambda input: input\n",
      "def f():\n    def g():\n        return vars\n    vars = 1\n    return g\n",
      "def f():\n    if (open := 1):\n        return open\n",
      "def f():\n    if f:\n        eval = 1\n    return eval\n",
  });
}

TEST(NameReads, InAModuleANameIsItsOwnOnlyOnceItIsBoundForCertain) {
  expect_accepted({
      "eval = len\nx = eval('a')\n",
      "def open():\n    return 1\n\ndef f():\n    return open()\n",
      "class input:\n    pass\n\nx = input()\n",
  });
  expect_scanned({
      {"x = eval\neval = 1\n", {"AL203 eval 1:4"}},
      {"if len('a'):\n    eval = 1\nx = eval\n", {"AL203 eval 3:4"}},
      {"for eval in []:\n    pass\nx = eval\n", {"AL203 eval 3:4"}},
      {"eval = 1\ndel eval\nx = eval\n", {"AL203 eval 3:4"}},
      {"try:\n    x = 1\nexcept E as eval:\n    pass\n", {"AL217 E 3:7"}},
      {"eval: int\nx = eval\n", {"AL203 eval 2:4"}},
      {"eval = 1\ndef f():\n    global eval\n    del eval\nx = eval\n", {"AL203 eval 5:4"}},
      {"[0 for x in '' if (eval := x)]\ny = eval\n", {"AL203 eval 2:4"}},
  });
}

TEST(NameReads, InAClassBodyANameFallsBackToo) {
  expect_scanned({
      {"class C:\n    x = open\n    open = 1\n", {"AL203 open 2:8"}},
      {"class C:\n    if len('a'):\n        open = 1\n    x = open\n", {"AL203 open 4:8"}},
      {"class C:\n    open = 1\n    def f(self):\n        return open\n", {"AL203 open 4:15"}},
      {"class C:\n    open = 1\n    x = [open for i in '1']\n", {"AL203 open 3:9"}},
  });
}

TEST(NameReads, AnAnnotationInBracketsBindsNothing) {
  expect_scanned({
      {"def f():\n    (eval): int\n    return eval\n", {"AL203 eval 3:11"}},
  });
  expect_accepted({"def f():\n    eval: int\n    return eval\n"});
}

TEST(NameReads, ABuiltinThatIsJudgedByItsUseCannotBeHidden) {
  expect_scanned({
      {"if len(''):\n    getattr = 1\nx = getattr(1, 'a' + 'b')\n", {"AL203 getattr 3:4"}},
      {"if len(''):\n    type = 1\nx = type('X', (), {})\n", {"AL203 type 3:4"}},
  });
  EXPECT_FALSE(
      errors_of(scan("if len(''):\n    str = '{}'\ndef f(t, x):\n    return str.format(t, x)\n"))
          .empty());
}

TEST(NameReads, UndefinedNamesAreRefused) {
  expect_scanned({
      {"def f(path):\n    return pth\n", {"AL217 pth 2:11"}},
      {"x = undefined.attribute\n", {"AL217 undefined 1:4"}},
      {"class C:\n    a = 1\n    def f(self):\n        return a\n", {"AL217 a 4:15"}},
      {"def f():\n    x = 1\ny = x\n", {"AL217 x 3:4"}},
      {"y = [z for x in '1']\n", {"AL217 z 1:5"}},
  });
}

TEST(NameReads, ANameThatIsBoundLaterIsNotUndefined) {
  expect_accepted({
      "def f():\n    return g()\n\ndef g():\n    return 1\n",
      "def f():\n    return LATER\n\nLATER = 1\n",
      "x: 'Anything' = 1\n",
      "from __future__ import annotations\nx: Anything = 1\n",
  });
}

TEST(NameReads, SuggestionsNameWhatWasMeant) {
  const auto suggestion = [](std::string_view code) {
    return scan(code).findings.at(0).suggestion;
  };
  EXPECT_EQ(suggestion("def f(path):\n    return pth\n"), "Did you mean 'path'?");
  EXPECT_EQ(suggestion("x = re.compile('a')\n"), "Add 'import re' at the top.");
  EXPECT_EQ(suggestion("x = OrderedDict()\n"),
            "Add 'from collections import OrderedDict' at the top.");
  EXPECT_EQ(suggestion("x = os.path.join('a')\n"), "Add 'import os.path' at the top.");
}

TEST(NameReads, AModuleMayOnlyStandBeforeADot) {
  expect_scanned({
      {"import re\nm = re\n", {"AL207 re 2:4"}},
      {"import re\nx = [re]\n", {"AL207 re 2:5"}},
      {"import re\nprint(re)\n", {"AL207 re 2:6"}},
      {"import re\ndef f(m=re):\n    pass\n", {"AL207 re 2:8"}},
      {"import re\nf = lambda: re\n", {"AL207 re 2:12"}},
      {"import re\nwith re as m:\n    pass\n", {"AL207 re 2:5"}},
      {"import re\nx = re if 1 else 2\n", {"AL207 re 2:4"}},
      {"import re\nclass C:\n    re = re\n", {"AL207 re 3:9"}},
      {"import re\nclass C:\n    re: int\n    x = re\n", {"AL207 re 4:8"}},
      {"from os import path\nx = path\n", {"AL207 path 2:4"}},
  });
}

TEST(NameReads, SpecialNamesMayNotBeBound) {
  expect_scanned({
      {"__builtins__ = {}\n", {"AL214 __builtins__ 1:0"}},
      {"def __dir__():\n    return []\n", {"AL214 __dir__ 1:0"}},
      {"def f(__class__):\n    pass\n", {"AL214 __class__ 1:6"}},
      {"for __x__ in '1':\n    pass\n", {"AL214 __x__ 1:4"}},
      {"def f():\n    global __name__\n", {"AL214 __name__ 2:4"}},
      {"try:\n    x = 1\nexcept ValueError as __x__:\n    pass\n", {"AL214 __x__ 3:0"}},
      {"x = [0 for __y__ in '1']\n", {"AL214 __y__ 1:11"}},
      {"x = (__y__ := 1)\n", {"AL214 __y__ 1:5"}},
  });
}

TEST(NameReads, ThePrivateSpellingOfTheInterpreterMayNotBeBound) {
  EXPECT_EQ(
      errors_of(scan("_A__p = 1\nclass A:\n    def f(self):\n        return __p\n__p = 1\n")).at(0),
      "AL214 _A__p 1:0");
  expect_accepted({"_A__p = 1\nclass B:\n    pass\n"});
}

TEST(NameReads, ABindingInCodeThatMayNotRunIsNoBinding) {
  for (const char* code : {
           "if 0:\n    class N:\n        global eval\n        eval = 1\ndef f():\n    return "
           "eval('1')\n",
           "class N:\n    if 0:\n        global eval\n        eval = 1\ndef f():\n    return "
           "eval('1')\n",
           "for i in ():\n    class N:\n        global getattr\n        getattr = 1\ndef f(n):\n   "
           " "
           "return getattr(print, n)\n",
       }) {
    EXPECT_FALSE(errors_of(scan(code)).empty()) << code;
  }
  expect_accepted(
      {"id = 5\ndef f():\n    return id\n", "class Row:\n    type: str = ''\n    id: int = 0\n"});
}

}  // namespace
}  // namespace airlock::vet::test
