// "May this be a path?", asked through the methods that a path shares with harmless things: group()
// of a match, and replace(x).
#include "support/vetting.h"

namespace airlock::vet::test {
namespace {

constexpr std::string_view kImports = "import re\nfrom pathlib import Path\nimport pathlib\n";

bool is_refused(const std::string& code) {
  return has(scan(std::string(kImports) + code), RuleCode::kFileOperation);
}

TEST(ValueFlow, APathIsFollowedToWhereItIsUsed) {
  for (const char* code : {
           "p = Path('a')\np.group()\n",
           "p = pathlib.Path('a')\np.group()\n",
           "P = Path\nP('a').group()\n",
           "p = q = Path('a')\nq.group()\n",
           "p = Path('a') if 1 else None\np.group()\n",
           "p = None or Path('a')\np.group()\n",
           "p, q = Path('a'), 1\np.group()\n",
           "[p, *q] = [1, Path('a')]\nfor x in q:\n    x.group()\n",
           "for p in [Path('a')]:\n    p.group()\n",
           "x = [p.group() for p in [Path('a')]]\n",
           "x = [p.group() for q in [[Path('a')]] for p in q]\n",
           "x = {k: v.group() for k, v in {'a': Path('a')}.items()}\n",
           "d = {'a': Path('a')}\nd['a'].group()\n",
           "d = {}\nd['a'] = Path('a')\nd.get('a').group()\n",
           "l = []\nl.append(Path('a'))\nl[0].group()\n",
           "def f():\n    return Path('a')\nf().group()\n",
           "def f(p):\n    p.group()\nf(Path('a'))\n",
           "def f(*, p):\n    p.group()\nf(p=Path('a'))\n",
           "def f(p=Path('a')):\n    p.group()\n",
           "def f(p: Path):\n    p.group()\n",
           "def f(p: 'Path'):\n    p.group()\n",
           "f = lambda p: p.group()\nf(Path('a'))\n",
           "x = list(map(lambda p: p.group(), [Path('a')]))\n",
           "class C:\n    def __init__(self):\n        self.p = Path('a')\n    def f(self):\n      "
           "  self.p.group()\n",
           "class C:\n    p = Path('a')\nC.p.group()\n",
           "class C(Path):\n    pass\nC('a').group()\n",
           "Path('a').parent.group()\n",
           "(Path('a') / 'b').group()\n",
           "('a' / Path('b')).group()\n",
           "if (p := Path('a')):\n    p.group()\n",
           "max([Path('a')]).group()\n",
           "sorted([Path('a')])[0].group()\n",
           "next(iter([Path('a')])).group()\n",
           "match Path('a'):\n    case p:\n        p.group()\n",
           "type(Path('a'))('b').group()\n",
           "def f():\n    yield Path('a')\nfor p in f():\n    p.group()\n",
           "p: Path\np.group()\n",
           "p = 1\ndef f():\n    global p\n    p = Path('a')\np.group()\n",
       }) {
    EXPECT_TRUE(is_refused(code)) << code;
  }
}

TEST(ValueFlow, OrderAndScopesHideNothing) {
  for (const char* code : {
           // the iterable of a comprehension is evaluated outside of it
           "def f(a):\n    p = [Path(a)]\n    return [p.group() for p in p]\n",
           // filled by a function that stands before the list
           "def fill(a):\n    things.append(Path(a))\nthings = []\ndef f():\n    return "
           "things[0].group()\n",
           // a class body reads the module's name before it has its own
           "p = Path('a')\nclass C:\n    p = p\n    q = p.group()\n",
           // nonlocal, bound around the function only after it
           "def f(a):\n    def g():\n        nonlocal x\n        x = Path(a)\n    x = None\n    "
           "g()\n    return x.group()\n",
           // a builtin that is hidden by nothing
           "if len(''):\n    list = None\nx = list([Path('a')])[0].group()\n",
           // a walrus that binds the variable of the comprehension around it
           "def f(q):\n    return [[(p := Path('a')) for i in '1'] and p.group() for y in q for p "
           "in q]\n",
       }) {
    EXPECT_TRUE(is_refused(code)) << code;
  }
}

TEST(ValueFlow, AMatchIsNoPath) {
  for (const char* code : {
           "def f(name):\n    m = re.match('a', name)\n    return m.group()\n",
           "def f(path):\n    m = re.search('a', Path(path).name)\n    return m.group() if m else "
           "None\n",
           "def f(path):\n    name = str(Path(path))\n    return name.replace('a', 'b')\n",
           "def f(path):\n    for m in re.finditer('a', Path(path).stem):\n        "
           "print(m.group())\n",
           "def f(path):\n    p = Path(path)\n    q = re.match('a', p.name)\n    return "
           "q.group()\n",
       }) {
    EXPECT_FALSE(is_refused(code)) << code;
  }
}

TEST(ValueFlow, AQuestionThatCostsTooMuchIsAnsweredWithSuspicion) {
  std::string code = "from pathlib import Path\na0 = re_ = None\n";
  for (int i = 1; i < 200; ++i) {
    const std::string last = "a" + std::to_string(i - 1);
    code += "a" + std::to_string(i) + " = [" + last + ", " + last + "]\n";
  }
  EXPECT_TRUE(is_refused(code + "a199.group()\n")) << "too deep to follow, so it may be a path";
}

TEST(ValueFlow, CirclesEnd) {
  EXPECT_FALSE(
      is_refused("def f(a, b):\n    while a:\n        a, b = b, a\n    return a.lower()\n"));
  EXPECT_TRUE(
      is_refused("def f(a, b):\n    a = Path('x')\n    while a:\n        a, b = b, a\n    return "
                 "b.group()\n"));
  EXPECT_FALSE(is_refused("def f(x):\n    return g(x)\ndef g(x):\n    return f(x)\ny = f(1)\n"));
}

}  // namespace
}  // namespace airlock::vet::test
