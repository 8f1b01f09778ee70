#include "support/vetting.h"

namespace airlock::vet::test {
namespace {

// Everything that the signature stage says, warnings too: "AL301 1:0".
std::vector<std::string> said(std::string_view code) {
  std::vector<std::string> lines;
  for (const Finding& one : vet(code, {.security = false, .signature = true}).findings) {
    lines.push_back(std::string(one.rule->name) + " " + std::to_string(one.place.line) + ":" +
                    std::to_string(one.place.column));
  }
  return lines;
}

struct Row {
  std::string_view code;
  std::vector<std::string> said;
};

void expect_said(std::initializer_list<Row> rows) {
  for (const Row& row : rows) EXPECT_EQ(said(row.code), row.said) << row.code;
}

TEST(Signature, WhatIsCalledAsExtractOfPathIsFine) {
  expect_said({
      {"def extract(path: str) -> dict:\n    return {}\n", {}},
      {"def extract(path):\n    return {}\n", {}},
      {"def extract(path, /):\n    return {}\n", {}},
      {"def extract(path, mode='x', *args, flag=False, **more):\n    return {}\n", {}},
      {"from typing import Dict, Any\ndef extract(path) -> Dict[str, Any]:\n    return {}\n", {}},
      {"def extract(path) -> 'dict[str, int]':\n    return {}\n", {}},
      {"from typing import TypedDict\nclass Row(TypedDict):\n    a: int\ndef extract(path) -> "
       "Row:\n    return {}\n",
       {}},
  });
}

TEST(Signature, ThereMustBeOne) {
  expect_said({
      {"x = 1\n", {"AL301 1:0"}},
      {"def parse(path):\n    return {}\n", {"AL301 1:0"}},
      {"extract = lambda path: {}\n", {"AL301 1:0"}},
      {"extract = 1\n", {"AL301 1:0"}},
      {"extract: int\n", {"AL301 1:0"}},
  });
  EXPECT_NE(vet("def extractor(path):\n    return {}\n")
                .findings.at(0)
                .suggestion.find("Rename 'extractor' on line 1"),
            std::string::npos);
}

TEST(Signature, ItStandsAtTheTopLevel) {
  expect_said({
      {"if 1:\n    def extract(path):\n        return {}\n", {"AL302 2:4"}},
      {"try:\n    def extract(path):\n        return {}\nexcept ValueError:\n    x = 1\n",
       {"AL302 2:4"}},
      {"class C:\n    def extract(self, path):\n        return {}\n", {"AL302 2:4"}},
      {"def make():\n    def extract(path):\n        return {}\n    return extract\n",
       {"AL302 2:4"}},
  });
}

TEST(Signature, ItIsAPlainFunction) {
  expect_said({
      {"async def extract(path):\n    return {}\n", {"AL303 1:0"}},
      {"def extract(path):\n    yield {}\n", {"AL303 2:4"}},
      {"def extract(path):\n    yield from []\n    return {}\n", {"AL303 2:4"}},
      {"def memo(f):\n    return f\n@memo\ndef extract(path):\n    return {}\n", {"AL304 3:1"}},
  });
  expect_said(
      {{"def extract(path):\n    def inner():\n        yield 1\n    f = lambda: (yield)\n    "
        "return {}\n",
        {}}});
}

TEST(Signature, ItIsBoundOnce) {
  expect_said({
      {"def extract(path):\n    return {}\nextract = len\n", {"AL305 3:0"}},
      {"def extract(path):\n    return {}\ndel extract\n", {"AL305 3:4"}},
      {"def extract(path):\n    return {}\nfor extract in []:\n    x = 1\n", {"AL305 3:4"}},
      {"def extract(path):\n    return {}\nimport re as extract\n", {"AL305 3:0"}},
      {"def extract(path):\n    return {}\ndef f():\n    global extract\n    extract = 1\n",
       {"AL305 5:4"}},
      {"def extract(path):\n    return {}\nclass extract:\n    x = 1\n", {"AL305 3:0"}},
      {"def extract(path):\n    return {}\nx = [(extract := 1) for y in '1']\n", {"AL305 3:6"}},
      {"def extract(path):\n    return {}\ntry:\n    x = 1\nexcept ValueError as extract:\n    x = "
       "2\n",
       {"AL305 5:0"}},
  });
  expect_said({{"def extract(path):\n    return {}\ndef f(extract):\n    return extract\n", {}}});
}

TEST(Signature, ItTakesOneArgument) {
  expect_said({
      {"def extract():\n    return {}\n", {"AL306 1:0"}},
      {"def extract(*paths):\n    return {}\n", {"AL306 1:0"}},
      {"def extract(path, mode):\n    return {}\n", {"AL306 1:0"}},
      {"def extract(path, *, mode):\n    return {}\n", {"AL306 1:21"}},
      {"def extract(p):\n    return {}\n", {"AL307 1:12"}},
  });
}

TEST(Signature, ItsAnnotationsAreTypes) {
  expect_said({
      {"def extract(path) -> list:\n    return {}\n", {"AL308 1:21"}},
      {"def extract(path) -> None:\n    return {}\n", {"AL308 1:21"}},
      {"def extract(path) -> 'list':\n    return {}\n", {"AL308 1:21"}},
      {"def extract(path) -> dict | None:\n    return {}\n", {"AL308 1:21"}},
      {"def extract(path: print('x')):\n    return {}\n", {"AL312 1:18"}},
      {"from __future__ import annotations\ndef extract(path: print('x')):\n    return {}\n", {}},
  });
}

TEST(Signature, ItReturnsADictOnEveryWay) {
  expect_said({
      {"def extract(path):\n    print(path)\n", {"AL309 1:0"}},
      {"def extract(path):\n    return\n", {"AL309 1:0"}},
      {"def extract(path):\n    return [path]\n", {"AL310 2:4"}},
      {"def extract(path):\n    return 'x'\n", {"AL310 2:4"}},
      {"def extract(path):\n    return {1, 2}\n", {"AL310 2:4"}},
      {"def extract(path):\n    return (1, 2)\n", {"AL310 2:4"}},
      {"def extract(path):\n    return f'{path}'\n", {"AL310 2:4"}},
      {"def extract(path):\n    if path:\n        return {}\n", {"AL311 1:0"}},
      {"def extract(path):\n    if path:\n        return None\n    return {}\n", {"AL311 3:8"}},
      {"def extract(path):\n    while path:\n        return {}\n", {"AL311 1:0"}},
      {"def extract(path):\n    for x in path:\n        return {}\n", {"AL311 1:0"}},
      {"def extract(path):\n    while True:\n        break\n    x = {}\n    if x:\n        return "
       "x\n",
       {"AL311 1:0"}},
  });
}

TEST(Signature, WaysThatSurelyReturnAreSeen) {
  expect_said({
      {"def extract(path):\n    if path:\n        return {}\n    else:\n        return {}\n", {}},
      {"def extract(path):\n    while True:\n        if path:\n            return {}\n", {}},
      {"def extract(path):\n    try:\n        return {}\n    except ValueError:\n        return "
       "{}\n",
       {}},
      {"def extract(path):\n    try:\n        x = 1\n    finally:\n        return {}\n", {}},
      {"def extract(path):\n    with path:\n        return {}\n", {}},
      {"def extract(path):\n    match path:\n        case 'a':\n            return {}\n        "
       "case _:\n            return {}\n",
       {}},
      {"def extract(path):\n    if path:\n        return {}\n    raise ValueError\n", {}},
  });
}

}  // namespace
}  // namespace airlock::vet::test
