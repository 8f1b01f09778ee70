#include "support/vetting.h"

namespace airlock::vet::test {
namespace {

TEST(Imports, ListedModulesMayBeImportedInEveryForm) {
  expect_accepted({
      "import re\n",
      "import re as regex\nx = regex.compile('a')\n",
      "import re, json\n",
      "import os.path\nx = os.path.join('a', 'b')\n",
      "import os.path as p\nx = p.join('a', 'b')\n",
      "from os import path\nx = path.join('a', 'b')\n",
      "from os.path import join as j\nx = j('a', 'b')\n",
      "import collections.abc\n",
      "from collections.abc import Mapping\n",
      "from __future__ import annotations\n",
      "def f():\n    import re\n    return re.compile('a')\n",
  });
}

TEST(Imports, OtherModulesAreRefusedWhereverTheyStand) {
  expect_scanned({
      {"import os\n", {"AL201 os 1:0"}},
      {"import sys, re, subprocess\n", {"AL201 sys 1:0", "AL201 subprocess 1:0"}},
      {"import os as harmless\n", {"AL201 os 1:0"}},
      {"from subprocess import run\n", {"AL201 subprocess 1:0"}},
      {"import os.path.join\n", {"AL201 os.path.join 1:0"}},
      {"import re._parser\n", {"AL201 re._parser 1:0"}},
      {"def f():\n    import socket\n", {"AL201 socket 2:4"}},
      {"try:\n    import requests\nexcept ImportError:\n    pass\n", {"AL201 requests 2:4"}},
      {"if False:\n    import os\n", {"AL201 os 2:4"}},
      {"class C:\n    import os\n", {"AL201 os 2:4", "AL202 os 2:4"}},
      {"import no_such_module\n", {"AL201 no_such_module 1:0"}},
  });
}

TEST(Imports, EveryNameTakenFromAModuleIsOnItsList) {
  expect_scanned({
      {"from pathlib import os\n", {"AL201 pathlib.os 1:0"}},
      {"from re import compile, _parser\n", {"AL201 re._parser 1:0"}},
      {"from os import system\n", {"AL201 os 1:0"}},
      {"from os import path, system\n", {"AL201 os 1:0"}},
      {"from typing import sys\n", {"AL201 typing.sys 1:0"}},
  });
}

TEST(Imports, FormsThatNobodyCanReadAreRefused) {
  expect_scanned({
      {"from re import *\n", {"AL202 re.* 1:0"}},
      {"from . import helper\n", {"AL202 . 1:0"}},
      {"from .helper import x\n", {"AL202 .helper 1:0"}},
      {"from ...a.b import c\n", {"AL202 ...a.b 1:0"}},
      {"class C:\n    import re\n", {"AL202 re 2:4"}},
  });
}

TEST(Imports, AStarFromAModuleThatIsNotListedIsRefusedOnce) {
  EXPECT_EQ(errors_of(scan("from os import *\n")).size(), 1u);
  EXPECT_EQ(errors_of(scan("from sys import *\n")), (std::vector<std::string>{"AL201 sys 1:0"}));
}

TEST(Imports, AnAliasIsANameLikeAnyOther) {
  expect_scanned({
      {"import re as __builtins__\n", {"AL214 __builtins__ 1:7"}},
      {"from re import compile as __import__\n", {"AL214 __import__ 1:15"}},
  });
}

TEST(Imports, WhatIsBehindARefusedImportIsStillJudged) {
  EXPECT_EQ(errors_of(scan("import os\nos.system('x')\n")),
            (std::vector<std::string>{"AL201 os 1:0", "AL204 os.system 2:0"}));
}

TEST(Imports, ANearMissIsSuggested) {
  const Verdict verdict = scan("import jsn\n");
  ASSERT_EQ(verdict.findings.size(), 1u);
  EXPECT_EQ(verdict.findings[0].suggestion, "Did you mean 'json'?");
}

TEST(Imports, WhatIsForTypeCheckersNeverRuns) {
  expect_accepted({
      "from __future__ import annotations\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n   "
      " "
      "import os\n    from decimal import Decimal\ndef f(x: Decimal) -> os.PathLike:\n    return "
      "x\n",
      "import typing\nif typing.TYPE_CHECKING:\n    import subprocess\n",
  });
  for (const char* code : {
           "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import os\nos.getcwd()\n",
           "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import os\ndef f(x: os):\n    "
           "pass\n",
           "TYPE_CHECKING = 1\nif TYPE_CHECKING:\n    import os\n",
           "from typing import TYPE_CHECKING\nTYPE_CHECKING = 1\nif TYPE_CHECKING:\n    import "
           "os\n",
           "from typing import TYPE_CHECKING\ndef f():\n    global TYPE_CHECKING\n    "
           "TYPE_CHECKING = "
           "1\nif TYPE_CHECKING:\n    import os\n",
           "from typing import TYPE_CHECKING\nif not TYPE_CHECKING:\n    import os\n",
           "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    pass\nelse:\n    import os\n",
           "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ast import literal_eval "
           "as "
           "eval\neval('1')\n",
       }) {
    EXPECT_FALSE(errors_of(scan(code)).empty()) << code;
  }
}

TEST(Imports, WhatIsForTypeCheckersNeverRunsInAFunctionEither) {
  const std::string head = "import typing\nfrom typing import TYPE_CHECKING\n";
  for (const char* code : {
           "def f(p):\n    if TYPE_CHECKING:\n        import os\n    return p\n",
           "def f(p):\n    if typing.TYPE_CHECKING:\n        import os.path, subprocess as s\n"
           "        from ctypes import CDLL\n    return p\n",
           "class C:\n    def f(self):\n        if TYPE_CHECKING:\n            import os\n",
       }) {
    EXPECT_EQ(errors_of(scan(head + code)), std::vector<std::string>()) << code;
  }
  for (const char* code : {
           "def f(p):\n    if TYPE_CHECKING:\n        import os\n    return os.getcwd()\n",
           "def f(TYPE_CHECKING):\n    if TYPE_CHECKING:\n        import os\n",
           "def f(typing):\n    if typing.TYPE_CHECKING:\n        import os\n",
           "def f(p):\n    TYPE_CHECKING = 1\n    if TYPE_CHECKING:\n        import os\n",
           "def f(p):\n    if TYPE_CHECKING:\n        import os\n    TYPE_CHECKING = 1\n",
           "def f(p):\n    global TYPE_CHECKING\n    TYPE_CHECKING = 1\n    if TYPE_CHECKING:\n"
           "        import os\n",
           "def g(TYPE_CHECKING):\n    def f(p):\n        if TYPE_CHECKING:\n            import "
           "os\n",
           "def f(p):\n    global os\n    if TYPE_CHECKING:\n        import os\n",
           "def f(p):\n    global eval\n    if TYPE_CHECKING:\n        from json import loads as "
           "eval\n    return eval(p)\n",
           "def g(p):\n    os = 1\n    def f():\n        nonlocal os\n        if TYPE_CHECKING:\n"
           "            import os\n",
           "def f(os):\n    if TYPE_CHECKING:\n        import os\n    return os\n",
           "def f(p):\n    if TYPE_CHECKING:\n        import os\n    for os in p:\n        pass\n",
           "def f(p):\n    if TYPE_CHECKING:\n        from os import *\n",
           "def f(p):\n    if TYPE_CHECKING:\n        pass\n    else:\n        import os\n",
           "class C:\n    if TYPE_CHECKING:\n        import os\n",
       }) {
    EXPECT_FALSE(errors_of(scan(head + code)).empty()) << code;
  }
}

}  // namespace
}  // namespace airlock::vet::test
