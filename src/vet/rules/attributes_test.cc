#include "support/vetting.h"

namespace airlock::vet::test {
namespace {

TEST(Attributes, BehindAModulesDotOnlyWhatItsListAllows) {
  expect_accepted({
      "import re\nx = re.compile('a')\n",
      "import os.path\nx = os.path.basename('a')\n",
      "import collections.abc\nx = isinstance([], collections.abc.Sequence)\n",
  });
  expect_scanned({
      {"import pathlib\nx = pathlib.os\n", {"AL204 pathlib.os 2:4"}},
      {"import re\nx = re.enum.sys\n", {"AL204 re.enum 2:4"}},
      {"import re as r\nx = r._parser\n", {"AL204 re._parser 2:4"}},
      {"import os.path\nos.system('x')\n", {"AL204 os.system 2:0"}},
      {"import os.path\nx = os.path.exists('a')\n", {"AL204 os.path.exists 2:4"}},
      {"import os.path\nx = os.path.genericpath.os\n", {"AL204 os.path.genericpath 2:4"}},
      {"import json\nx = json.decoder\n", {"AL204 json.decoder 2:4"}},
      {"import re\nx = re.__builtins__\n", {"AL204 re.__builtins__ 2:4"}},
  });
}

TEST(Attributes, AModuleInsideAModuleIsNoValueEither) {
  EXPECT_EQ(errors_of(scan("import os.path\nx = os.path\n")),
            (std::vector<std::string>{"AL207 os.path 2:4"}));
}

TEST(Attributes, WhatLeadsIntoTheInterpreterIsRefusedOnAnyObject) {
  expect_scanned({
      {"x = ().__class__\n", {"AL205 __class__ 1:4"}},
      {"x = ().__class__.__base__.__subclasses__()\n",
       {"AL205 __class__ 1:4", "AL205 __base__ 1:4", "AL205 __subclasses__ 1:4"}},
      {"def f():\n    yield\nx = f().gi_frame\n", {"AL205 gi_frame 3:4"}},
      {"x = len.__self__\n", {"AL205 __self__ 1:4"}},
      {"def f():\n    pass\nx = f.__globals__\n", {"AL205 __globals__ 3:4"}},
      {"def f():\n    pass\nx = f.__code__\n", {"AL205 __code__ 3:4"}},
      {"x = int.mro()\n", {"AL205 mro 1:4"}},
      {"try:\n    x = 1\nexcept ValueError as e:\n    y = e.__traceback__\n",
       {"AL205 __traceback__ 4:8"}},
      {"x = ''.__reduce_ex__(2)\n", {"AL205 __reduce_ex__ 1:4"}},
  });
}

TEST(Attributes, AFewSpecialAttributesAreHarmless) {
  expect_accepted({
      "x = type('').__name__\n",
      "x = ''.__class__.__name__\n",
      "def f():\n    '''doc'''\nx = f.__doc__\n",
  });
}

TEST(Attributes, PrivateNamesBelongToWhoeverDefinesThem) {
  expect_accepted({
      "class C:\n    def __init__(self):\n        self._x = 1\n    def f(self):\n        return "
      "self._x\n",
      "class C:\n    _x = 1\n    def f(self):\n        return self._x\n",
      "class C:\n    def _f(self):\n        return 1\n    def g(self):\n        return self._f()\n",
      "from collections import namedtuple\nP = namedtuple('P', 'a b')\nx = P(1, 2)._asdict()\n",
  });
  expect_scanned({
      {"x = ''._x\n", {"AL205 _x 1:4"}},
      {"import re\nx = re.compile('a')._code\n", {"AL205 _code 2:4"}},
  });
}

TEST(Attributes, TheInterpretersSpellingOfAPrivateNameIsRefused) {
  EXPECT_EQ(
      errors_of(scan("class A:\n    def __init__(self):\n        self.__p = 1\nx = A()._A__p\n")),
      (std::vector<std::string>{"AL205 _A__p 4:4"}));
}

TEST(Attributes, APathMayBeTakenApartButNotAsked) {
  expect_accepted({
      "from pathlib import Path\nx = Path('a/b.txt').stem\n",
      "from pathlib import Path\nx = Path('a').parent / 'b'\n",
      "from pathlib import PurePosixPath\nx = PurePosixPath('a').with_suffix('.b').name\n",
  });
  expect_scanned({
      {"from pathlib import Path\nx = Path('a').read_text()\n", {"AL206 read_text 2:4"}},
      {"from pathlib import Path\nx = Path('a').exists()\n", {"AL206 exists 2:4"}},
      {"import pathlib\nx = pathlib.Path('a').open()\n", {"AL206 open 2:4"}},
      {"from pathlib import Path\nx = Path.home()\n", {"AL206 home 2:4"}},
      {"from pathlib import Path\nfor p in [Path('a')]:\n    p.unlink()\n", {"AL206 unlink 3:4"}},
  });
}

TEST(Attributes, ReadTextIsRefusedOnAnythingThatIsNotOnesOwn) {
  EXPECT_EQ(errors_of(scan("def f(x):\n    return x.read_text()\n")),
            (std::vector<std::string>{"AL206 read_text 2:11"}));
  expect_accepted(
      {"class C:\n    def read_text(self):\n        return ''\n\ndef f():\n    return "
       "C().read_text()\n"});
}

TEST(Attributes, TheNumberOfArgumentsTellsATextFromAPath) {
  expect_accepted({
      "from pathlib import Path\ndef f(p):\n    return str(Path(p)).replace('a', 'b')\n",
      "import re\nfrom pathlib import Path\ndef f(p):\n    m = re.match('a', Path(p).name)\n    "
      "return m.group(1)\n",
  });
  EXPECT_EQ(errors_of(scan("from pathlib import Path\nx = Path('a').replace('b')\n")),
            (std::vector<std::string>{"AL206 replace 2:4"}));
}

TEST(Attributes, ALibraryMayNotBeWrittenInto) {
  expect_scanned({
      {"import json\njson.dumps = None\n", {"AL213 json.dumps 2:0"}},
      {"import re\ndel re.compile\n", {"AL213 re.compile 2:4"}},
      {"from datetime import date\ndate.today = None\n", {"AL213 today 2:0"}},
      {"import json\njson.x: int = 1\n", {"AL213 json.x 2:0"}},
      {"import json\nfor json.x in '1':\n    pass\n", {"AL213 json.x 2:4"}},
      {"import json\nwith open_ as json.x:\n    pass\n", {"AL217 open_ 2:5", "AL213 json.x 2:14"}},
      {"import json\njson.x += 1\n", {"AL213 json.x 2:0"}},
  });
}

TEST(Attributes, SpecialAttributesMayNotBeWritten) {
  expect_scanned({
      {"class C:\n    pass\nC.__init__ = len\n", {"AL214 __init__ 3:0"}},
      {"class C:\n    pass\nC.__doc__ = 'x'\n", {"AL214 __doc__ 3:0"}},
  });
  EXPECT_EQ(errors_of(scan("class C:\n    pass\nC().__class__ = int\n")),
            (std::vector<std::string>{"AL205 __class__ 3:0"}));
}

TEST(Attributes, OnesOwnObjectsMayBeWritten) {
  expect_accepted({
      "class C:\n    pass\nc = C()\nc.x = 1\nc.x += 1\ndel c.x\n",
      "def f():\n    pass\nf.count = 0\n",
      "def w(f):\n    def inner():\n        return f()\n    inner.__name__ = f.__name__\n    "
      "return inner\n",
  });
}

}  // namespace
}  // namespace airlock::vet::test
