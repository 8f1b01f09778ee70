// Guest code without the walls around it: what is loaded, called, refused and written down. The
// value writer and the modules' faces are tested through it, as the guest meets them.
#include "python/guest_code.h"

#include <gtest/gtest.h>

#include <optional>
#include <variant>

#include "support/running_interpreter.h"

namespace airlock::python {
namespace {

// One for the process: preparing takes doors off the interpreter's types for good.
GuestCode& guest() {
  static GuestCode* const only = [] {
    test::start_interpreter();
    return GuestCode::prepare(*find_builtin_policy("extractor")).value().release();
  }();
  return *only;
}

GuestOutcome load(const std::string& code) {
  GuestCode& cell = guest();
  const auto tree = parse(code);
  if (!std::holds_alternative<Tree>(tree)) return {};
  const auto compiled = compile_tree(std::get<Tree>(tree), code);
  return cell.load(std::get<std::string>(compiled), {});
}

GuestOutcome call(const std::string& body, const std::string& path = "/a/b.csv",
                  const std::string& before = "") {
  const GuestOutcome loaded = load(before + "def extract(path):\n" + body);
  return loaded.success ? guest().call(path, {}) : loaded;
}

TEST(GuestCode, ADictComesBackAsJsonWithEveryDigit) {
  const GuestOutcome outcome =
      call("    return {'path': path, 'n': 10**25, 'f': 0.5, 'l': [None, True, (1,)]}\n");
  EXPECT_TRUE(outcome.success) << outcome.error;
  EXPECT_EQ(outcome.value,
            R"({"path":"/a/b.csv","n":10000000000000000000000000,"f":0.5,"l":[null,true,[1]]})");
}

TEST(GuestCode, DictSubclassesAreReadAsDicts) {
  const GuestOutcome outcome = call("    return OrderedDict(a=Counter('xx'))\n", "/",
                                    "from collections import Counter, OrderedDict\n");
  EXPECT_EQ(outcome.value, R"({"a":{"x":2}})") << outcome.error;
}

TEST(GuestCode, WhatIsNoJsonIsRefusedWithItsPlaceAndTheFix) {
  EXPECT_EQ(call("    return {'a': [1, {2}]}\n").error,
            "Result['a'][1] is a set, which is not JSON: use sorted(x)");
  EXPECT_NE(call("    return {'a': float('nan')}\n").error.find("NaN"), std::string::npos);
  EXPECT_NE(call("    return {1: 2}\n").error.find("keys must be strings"), std::string::npos);
  EXPECT_NE(call("    return {'a': '\\ud800'}\n").error.find("surrogate"), std::string::npos);
  EXPECT_EQ(call("    return {'a': 'x' * 2000000}\n").error_type, "OutputLimitError");
  EXPECT_EQ(call("    x = []\n    x.append(x)\n    return {'a': x}\n").error_type,
            "OutputLimitError");
}

TEST(GuestCode, MethodsOfHostileSubclassesAreNotCalled) {
  const GuestOutcome outcome = call("    return D(a=S('x'))\n", "/",
                                    "class S(str):\n"
                                    "    def __str__(self): return 'lie'\n"
                                    "class D(dict):\n"
                                    "    def items(self): return [('lie', 1)]\n"
                                    "    def __iter__(self): return iter(['lie'])\n");
  EXPECT_EQ(outcome.value, R"({"a":"x"})") << outcome.error;
}

TEST(GuestCode, AnotherTypeThanADictIsNamed) {
  EXPECT_EQ(call("    return [path]\n").error, "extract() returned list, expected dict");
  EXPECT_EQ(load("x = 1\n").error_type, "DefinitionError");
}

TEST(GuestCode, AnExceptionHasTheGuestsOwnFrames) {
  const GuestOutcome outcome =
      call("    return {'n': number('Q1')}\n", "/", "def number(text):\n    return int(text)\n");
  EXPECT_EQ(outcome.error_type, "ValueError");
  EXPECT_EQ(outcome.error_line, 2U);
  ASSERT_EQ(outcome.trace.size(), 2U);
  EXPECT_EQ(outcome.trace[0].function, "extract");
  EXPECT_EQ(outcome.trace[1].function, "number");
}

TEST(GuestCode, AModuleIsAFaceWithTheListedAttributesOnly) {
  EXPECT_TRUE(call("    return {'a': json.dumps(1)}\n", "/", "import json\n").success);
  EXPECT_EQ(call("    return {'a': pathlib.os}\n", "/", "import pathlib\n").error_type,
            "AttributeError");
  EXPECT_EQ(call("    json.dumps = 1\n    return {}\n", "/", "import json\n").error_type,
            "AttributeError");
  EXPECT_EQ(load("import subprocess\n").error, "Module 'subprocess' not in whitelist");
}

TEST(GuestCode, TimesAndCodecsNeedNoImportOfTheirOwn) {
  const GuestOutcome outcome = call(
      "    return {'y': datetime.strptime('2024', '%Y').year, 'c': 'x'.encode('cp1252').hex()}\n",
      "/", "from datetime import datetime\n");
  EXPECT_EQ(outcome.value, R"({"y":2024,"c":"78"})") << outcome.error;
}

TEST(GuestCode, SubclassesAreThoseThatTheGuestHasAnyway) {
  const GuestOutcome outcome = call(
      "    class Mine: pass\n"
      "    names = [one.__name__ for one in object.__subclasses__()]\n"
      "    return {'hidden': [one for one in ('function', 'code', 'frame', 'module', 'ModuleSpec', "
      "'BuiltinImporter', '_wrap_close', '_IOBase') if one in names],\n"
      "            'known': [one for one in ('Mine', 'PurePath', 'int') if one in names],\n"
      "            'mapping': isinstance(OrderedDict(), Mapping)}\n",
      "/",
      "from collections import OrderedDict\nfrom collections.abc import Mapping\n"
      "from pathlib import PurePath\n");
  EXPECT_EQ(outcome.value, R"({"hidden":[],"known":["Mine","PurePath","int"],"mapping":true})")
      << outcome.error;
}

// Guards that look at the innermost frame are led by what the library calls for a guest.
TEST(GuestCode, WhatTheLibraryCallsForAGuestFindsNoMore) {
  const GuestOutcome outcome = call(
      "    found = []\n"
      "    class Meta(type(Mapping)):\n"
      "        __iter__ = map(type.__subclasses__, [object]).__iter__\n"
      "    class Led(Mapping, metaclass=Meta):\n"
      "        __subclasshook__ = Method(list.extend, found)\n"
      "    try:\n        issubclass(Led, Led)\n    except Exception:\n        del "
      "Led.__subclasshook__\n"
      "    return {'names': [one.__name__ for some in found for one in some if one.__name__ == "
      "'code']}\n",
      "/",
      "from collections.abc import Mapping\n"
      "class Thing:\n    def method(self): pass\nMethod = type(Thing().method)\n");
  EXPECT_EQ(outcome.value, R"({"names":[]})") << outcome.error;
}

TEST(GuestCode, NamesOfFieldsAreNamesAndNoCode) {
  const std::string before =
      "from collections import namedtuple\nfrom dataclasses import dataclass, field\n";
  for (const char* body :
       {"    class R: pass\n    R.__annotations__ = {'x=print(1)': int}\n    dataclass(R)\n",
        "    class R: pass\n    R.__annotations__ = {'x:int=[1 for i in (1,)]\\n  ,y': int}\n    "
        "dataclass(R)\n",
        "    namedtuple('N', ['a=print(1)'])\n"}) {
    const GuestOutcome outcome = call(std::string(body) + "    return {}\n", "/", before);
    EXPECT_FALSE(outcome.success) << body;
    EXPECT_EQ(outcome.output, "") << body;
  }
}

TEST(GuestCode, PathsAreTextAndSayThatThereAreNoFiles) {
  const GuestOutcome outcome =
      call("    return {'it': Path(path).read_text()}\n", "/a/b.csv", "from pathlib import Path\n");
  EXPECT_EQ(outcome.error_type, "PermissionError");
  EXPECT_EQ(outcome.error,
            "there are no files here: Path.read_text: File I/O not allowed; work on the parts of "
            "the path: name, stem, suffix, parts");
  EXPECT_EQ(
      call("    return {'it': Path(path).stem}\n", "/a/b.csv", "from pathlib import Path\n").value,
      R"({"it":"b"})");
}

TEST(GuestCode, WhatIsPrintedWhileLoadingIsToldOnce) {
  ASSERT_TRUE(
      load("print('loading')\ndef extract(path):\n    print(path)\n    return {}\n").success);
  EXPECT_EQ(guest().call("/a", {}).output, "loading\n/a\n");
  EXPECT_EQ(guest().call("/b", {}).output, "/b\n");
}

TEST(GuestCode, WhatIsPrintedIsKeptAndBounded) {
  const GuestOutcome outcome = call("    print('x' * 100000)\n    return {}\n");
  EXPECT_TRUE(outcome.success);
  EXPECT_TRUE(outcome.output_was_cut);
  EXPECT_EQ(outcome.output.size(), RunLimits{}.output_bytes);
}

// Both wrote or read memory that was not theirs, in the interpreter as it comes.
TEST(GuestCode, ANumberThatIsAskedForInTheMiddleOfAnAssignmentFindsTheBytesAsTheyAre) {
  const std::string before =
      "class Index:\n"
      "    def __init__(self, box): self.box = box\n"
      "    def __index__(self):\n"
      "        self.box[0].clear()\n"
      "        return 1\n";
  const GuestOutcome by_item =
      call("    box = [bytearray(56)]\n    box[0][23] = Index(box)\n    return {}\n", "/a", before);
  EXPECT_EQ(by_item.error_type, "IndexError") << by_item.error;
  const GuestOutcome by_name =
      call("    box = [bytearray(56)]\n    box[0].__setitem__(23, Index(box))\n    return {}\n",
           "/a", before);
  EXPECT_EQ(by_name.error_type, "IndexError") << by_name.error;
  const GuestOutcome honest = call(
      "    data = bytearray(b'abc')\n    data[0] = 65\n    data[1:] = b'xyz'\n    del data[-1]\n"
      "    data[True] = 66\n    return {'data': data.decode()}\n");
  EXPECT_EQ(honest.value, R"({"data":"ABy"})") << honest.error;
}

TEST(GuestCode, AnErrorAboutACharacterReadsNoOther) {
  const GuestOutcome outcome =
      call("    return {'text': str(UnicodeDecodeError('x', bytes(4), -9, -8, 'y'))}\n");
  EXPECT_EQ(outcome.value.find("0x"), std::string::npos) << outcome.value;
  EXPECT_TRUE(outcome.success) << outcome.error;
}

}  // namespace
}  // namespace airlock::python
