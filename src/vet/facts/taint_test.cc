// Each construct that can move a value, twice: with a path or a library's class in it, which is
// refused, and with something harmless, which passes.
#include "support/vetting.h"

namespace airlock::vet::test {
namespace {

struct Way {
  std::string_view before;  // definitions; PUT stands for the value that is moved
  std::string_view used;    // an expression that gives it back
};

std::string with(std::string_view text, std::string_view value) {
  std::string out(text);
  for (std::size_t at = out.find("PUT"); at != std::string::npos; at = out.find("PUT", at))
    out.replace(at, 3, value);
  return out;
}

constexpr std::string_view kImports = "import re\nimport json\nfrom pathlib import Path\n";

constexpr Way kWays[] = {
    {"class G:\n    def __getitem__(self, x):\n        return x\n", "G()[PUT]"},
    {"class G:\n    def __class_getitem__(cls, x):\n        return x\n", "G[PUT]"},
    {"class G:\n    def __add__(self, x):\n        return x\n", "(G() + PUT)"},
    {"class G:\n    def __call__(self, x):\n        return x\n", "G()(PUT)"},
    {"class G:\n    def __iter__(self):\n        yield PUT\n", "list(G())[0]"},
    {"class G:\n    def __enter__(self):\n        return PUT\n    def __exit__(self, *a):\n        "
     "pass\nwith G() as kept:\n    pass\n",
     "kept"},
    {"class G:\n    def __new__(cls):\n        return PUT\n", "G()"},
    {"class G:\n    def __getattr__(self, name):\n        return PUT\n", "G().anything"},
    {"class D:\n    def __get__(self, one, owner):\n        return PUT\nclass G:\n    d = D()\n",
     "G().d"},
    {"class D:\n    def __set_name__(self, owner, name):\n        owner.held = PUT\nclass G:\n    "
     "d "
     "= D()\n",
     "G.held"},
    {"class G:\n    def __init_subclass__(cls, x=None):\n        cls.held = x\nclass H(G, "
     "x=PUT):\n  "
     "  pass\n",
     "H.held"},
    {"def g():\n    got = yield 1\n    yield got\nk = g()\nnext(k)\n", "k.send(PUT)"},
    {"def g():\n    yield 1\n    return PUT\ndef h():\n    return (yield from g())\n",
     "list(h())[0]"},
    {"def deco(f):\n    return PUT\n@deco\ndef kept():\n    pass\n", "kept"},
    {"def deco(c):\n    return PUT\n@deco\nclass kept:\n    pass\n", "kept"},
    {"try:\n    raise ValueError(PUT)\nexcept ValueError as e:\n    kept = e.args[0]\n", "kept"},
    {"a = []\nb = [a]\nb[0].append(PUT)\n", "a[0]"},
    {"a = []\nput = a.append\nput(PUT)\n", "a[0]"},
    {"from enum import Enum\nclass K(Enum):\n    A = (PUT,)\n", "list(K)[0].value[0]"},
    {"from collections import namedtuple\nRow = namedtuple('Row', 'name')\n", "Row(PUT).name"},
    {"from collections import deque\n", "deque([PUT]).pop()"},
    {"from urllib.parse import ParseResult\n", "ParseResult(PUT, 1, 2, 3, 4, 5)[0]"},
    {"match [PUT]:\n    case [kept, *_]:\n        pass\n", "kept"},
    {"kept, *_ = PUT, 1\n", "kept"},
    {"f = lambda x=PUT: x\n", "f()"},
    {"def f(*a, **k):\n    return a or k\n", "f(PUT)[0]"},
    {"", "{}.get('a', PUT)"},
    {"", "max([PUT], key=lambda x: 1)"},
    {"", "list(map(lambda x: x, [PUT]))[0]"},
    {"", "[x for x in [PUT]][0]"},
    {"", "(kept := PUT)"},
    {"", "(None or PUT)"},
    {"class O:\n    def held(self):\n        return PUT\n", "O().held()"},
    {"class O:\n    def __init__(self, x):\n        self.x = x\n", "O(PUT).x"},
    {"class O:\n    def give(self):\n        return self\n", "O.give(PUT)"},
};

TEST(Taint, APathIsSuspiciousWhicheverWayItCame) {
  for (const Way& one : kWays) {
    const std::string code = std::string(kImports) + with(one.before, "Path('a')") +
                             "x = " + with(one.used, "Path('a')") + ".group()\n";
    EXPECT_TRUE(has(scan(code), RuleCode::kFileOperation)) << code;
  }
}

TEST(Taint, AMatchPassesTheSameWays) {
  for (const Way& one : kWays) {
    const std::string value = "re.match('a', 'a')";
    const std::string code = std::string(kImports) + "p = Path('a').name\n" +
                             with(one.before, value) + "x = " + with(one.used, value) +
                             ".group()\n";
    EXPECT_EQ(errors_of(scan(code)), std::vector<std::string>()) << code;
  }
}

TEST(Taint, ALibrarysClassIsNotForWritingWhicheverWayItCame) {
  for (const Way& one : kWays) {
    const std::string value = "json.JSONEncoder";
    const std::string code = std::string(kImports) + with(one.before, value) +
                             "kept_ = " + with(one.used, value) + "\nkept_.default = 1\n";
    EXPECT_TRUE(has(scan(code), RuleCode::kForeignWrite)) << code;
  }
}

TEST(Taint, PairsOfWaysAreWays) {
  for (const Way& outer : kWays) {
    if (outer.before.find("PUT") != std::string_view::npos) continue;
    for (const Way& inner : kWays) {
      const std::string value = "(" + with(inner.used, "Path('a')") + ")";
      const std::string code = std::string(kImports) + with(inner.before, "Path('a')") +
                               std::string(outer.before) + "x = " + with(outer.used, value) +
                               ".group()\n";
      // A walrus in the iterable of a comprehension is no Python.
      const Verdict verdict = scan(code);
      EXPECT_TRUE(has(verdict, RuleCode::kFileOperation) || has(verdict, RuleCode::kSyntaxError))
          << code;
    }
  }
}

TEST(Taint, ErrorsHoldWhatWentWrong) {
  expect_scanned({
      {"from pathlib import Path\ntry:\n    Path('a').nothing\nexcept AttributeError as e:\n    "
       "e.obj.group()\n",
       {"AL206 group 5:4"}},
      {"from pathlib import Path\ntry:\n    {}[Path('a')]\nexcept KeyError as e:\n    "
       "e.args[0].group()\n",
       {"AL206 group 5:4"}},
      {"from pathlib import Path\ntry:\n    raise NameError(name=Path('a'))\nexcept NameError as "
       "e:\n"
       "    e.name.group()\n",
       {"AL206 group 5:4"}},
  });
}

TEST(Taint, AnAnnotationIsNoProof) {
  expect_scanned({
      {"from pathlib import Path\nclass Own:\n    def read_text(self):\n        return ''\nclass "
       "G:\n    def __getitem__(self, p: Own):\n        return p.read_text()\nG()[Path('a')]\n",
       {"AL206 read_text 7:15"}},
  });
  expect_accepted({
      "from pathlib import Path\nclass Own:\n    def read_text(self):\n        return ''\ndef f(p: "
      "Own):\n    return p.read_text()\nf(Own())\nx = Path('a').name\n",
  });
}

TEST(Taint, ANameThatIsAModuleIsNothingElse) {
  expect_scanned({
      {"import dataclasses\nfrom pathlib import Path\ndef f():\n    global dataclasses\n    "
       "dataclasses = Path('a')\n",
       {"AL202 dataclasses 1:0"}},
  });
  expect_accepted(
      {"try:\n    import re\nexcept ImportError:\n    re = None\nx = re.escape('a')\n"});
}

TEST(Taint, PathsInOnesOwnObjectsDoNotSpoilTheRest) {
  expect_accepted({
      "import re\nfrom dataclasses import dataclass\nfrom pathlib import Path\n@dataclass\nclass "
      "F:\n"
      "    path: Path\n    owner: str = ''\nf = F(Path('a'))\nm = re.search('a', f.path.name)\nx = "
      "m.group() if m else f.owner\n",
      "import re\nfrom pathlib import Path\nd = {'p': Path('a'), 'n': 'a'}\nm = re.match('a', "
      "d['n'])\nx = m.group()\n",
      "import re\nfrom pathlib import Path\nps = []\nps.append(Path('a'))\nps.sort(key=lambda p: "
      "p.name)\nx = re.sub('a', lambda m: m.group(), 'a')\n",
      "from pathlib import Path\nclass O:\n    def __init__(self, p):\n        self.p = Path(p)\n  "
      "  "
      "def __lt__(self, other):\n        return self.p.name < other.p.name\no = O('a')\no.rank = "
      "1\n",
  });
}

// Two bases each, four hundred deep: answers are kept, or this would never end.
TEST(Taint, HierarchiesThatMeetAgainAndAgainEnd) {
  for (const char* first :
       {"class C0:\n    pass\n", "from enum import Enum\nclass C0(Enum):\n    pass\n"}) {
    std::string code =
        std::string("import json\nclass C:\n    pass\n") + first + "class C1(C0):\n    pass\n";
    for (int i = 2; i < 400; ++i) {
      code += "class C" + std::to_string(i) + "(C" + std::to_string(i - 1) + ", C" +
              std::to_string(i - 2) + "):\n    def m(self):\n        self.x = json.JSONEncoder\n";
    }
    code += "x = [C399]\nmatch x:\n    case C399(y):\n        pass\n";
    EXPECT_FALSE(errors_of(scan(code)).empty());  // the pattern's class has too many bases to read
  }
}

}  // namespace
}  // namespace airlock::vet::test
