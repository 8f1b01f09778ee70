#include "vet/reading.h"

#include <fmt/format.h>

#include "base/utf8.h"
#include "support/vetting.h"

namespace airlock::vet::test {
namespace {

Reading read(std::string_view raw, VetLimits limits = {}) {
  start_interpreter();
  return read_source(raw, limits, TextKind::kAnswer);
}

Reading read_file(std::string_view raw, VetLimits limits = {}) {
  start_interpreter();
  return read_source(raw, limits, TextKind::kProgram);
}

constexpr std::string_view kFence = "'''\n```python\nx = 1\n```\n'''\n";

// "AL001 1:0" for each finding of the reading.
std::vector<std::string> said(const Reading& reading) {
  std::vector<std::string> lines;
  lines.reserve(reading.findings.size());
  for (const Finding& one : reading.findings) {
    lines.push_back(std::string(one.rule->name) + " " + std::to_string(one.place.line) + ":" +
                    std::to_string(one.place.column));
  }
  return lines;
}

TEST(Reading, CleanCodeIsItsOwnCleaning) {
  const Reading reading = read("x = 1\n");
  EXPECT_TRUE(reading.tree);
  EXPECT_EQ(reading.code, "x = 1\n");
  EXPECT_TRUE(reading.lines.lines.empty());
  EXPECT_EQ(said(reading), std::vector<std::string>());
}

TEST(Reading, AFenceIsTakenOffAndSaid) {
  const Reading reading = read("Here it is:\n\n```python\nx = 1\ny = 2\n```\n");
  ASSERT_TRUE(reading.tree);
  EXPECT_EQ(reading.code, "x = 1\ny = 2\n");
  EXPECT_TRUE(std::ranges::any_of(reading.findings, [](const Finding& one) {
    return one.rule->code == RuleCode::kFenceRemoved && one.severity == Severity::kNote;
  }));
  EXPECT_EQ(reading.lines.to_raw({2, 0, 2, 1}).line, 5u);
}

TEST(Reading, AFenceInsideATextIsPartOfTheText) {
  const std::string code = "x = '''\n```python\ny\n```\n'''\n";
  EXPECT_EQ(read(code).code, code);
}

TEST(Reading, TheFirstCandidateThatReadsIsTheProgram) {
  const Reading reading =
      read("```python\nx = = 1\n```\n\n```python\ndef extract(path):\n    return {}\n```\n");
  ASSERT_TRUE(reading.tree);
  EXPECT_NE(reading.code.find("def extract"), std::string::npos);
}

TEST(Reading, CodeThatDoesNotReadSaysWhereInTheCleanedCode) {
  const Reading reading = read("```python\nx = 1\ny = = 2\n```\n");
  EXPECT_FALSE(reading.tree);
  ASSERT_FALSE(reading.findings.empty());
  const Finding& error = reading.findings.back();
  EXPECT_EQ(error.rule->code, RuleCode::kSyntaxError);
  EXPECT_EQ(error.place.line, 2u);
  EXPECT_EQ(reading.lines.to_raw(error.place).line, 3u);
}

TEST(Reading, CharactersAreRepairedOnlyWhenTheCodeDoesNotReadWithThem) {
  EXPECT_EQ(read("x = “a”\n").code, "x = \"a\"\n");
  EXPECT_EQ(read("x = '“a”'\n").code, "x = '“a”'\n");
}

TEST(Reading, RepairedTextIsCheckedAgain) {
  const std::string wide = "x = " + std::string(1, '1') + " – 1\n# coding: utf-7\n";
  EXPECT_FALSE(read("# coding: utf-7\n" + wide).tree);
}

TEST(Reading, PythonIsReadAsItStandsWhateverItsEndsLookLike) {
  for (const std::string code :
       {"{'a': '''\n```python\nx = 1\n```\n'''}\nimport os\n{}\n", "python\nimport os\n",
        "[1]\nimport os\n[2]\n", "{'a': '''\n```python\nx = 1\n```\n'''}\n",
        "\"a\" if f() else \"b\"\n", "'''\n```python\nx = 1\n```\n'''\n"}) {
    EXPECT_TRUE(read(code).tree) << code;
    EXPECT_EQ(read(code).code, code);
    EXPECT_EQ(read_file(code).code, code);
  }
}

TEST(Reading, AnAnswerInJsonIsUnwrappedAndAFileNever) {
  const std::string json = R"({"code": "import re\nx = 1\n"})";
  EXPECT_EQ(read(json).code, "import re\nx = 1\n");
  EXPECT_EQ(read_file(json).code, json);
}

// A text with a fence in it that meets a limit before the fence, or behind it, is refused with the
// limit, as a file and as an answer.
TEST(Reading, ALimitMakesNoAnswerOfAText) {
  const std::string fence(kFence);
  const std::string deep = "x = " + std::string(300, '(') + "1" + std::string(300, ')') + "\n";
  std::string indented;
  for (int i = 0; i < 120; ++i)
    indented += std::string(static_cast<std::size_t>(i), ' ') + "if 1:\n";
  indented += std::string(120, ' ') + "pass\n";
  const std::string unary = "x = " + std::string(20000, '-') + "1\n";
  const std::string digits = "x = " + std::string(5000, '9') + "\n";
  const std::string inner = "x = f'{1:{2:{3}}}'\n";
  for (const std::string& part : {deep, indented, unary, digits, inner}) {
    for (const std::string& text : {fence + part, part + fence}) {
      EXPECT_FALSE(read(text).tree) << part.substr(0, 60);
      EXPECT_FALSE(read_file(text).tree) << part.substr(0, 60);
      EXPECT_NE(read(text).code, "x = 1\n");
    }
  }
  const std::string large = fence + std::string(200, '#') + "\n";
  EXPECT_EQ(said(read(large, {.source_bytes = 100})), (std::vector<std::string>{"AL104 1:0"}));
  EXPECT_EQ(said(read_file(large, {.source_bytes = 100})), (std::vector<std::string>{"AL104 1:0"}));
  EXPECT_EQ(said(read("# coding: latin-1\n" + fence)).at(0).substr(0, 5), "AL109");
  EXPECT_EQ(said(read_file("# coding: nonsense\n" + fence)).at(0).substr(0, 5), "AL109");
}

TEST(Reading, ALongAnswerWithAShortProgramIsStillAnAnswer) {
  std::string prose;
  for (int i = 0; i < 5; ++i) prose += "This sentence explains what the code below will do.\n";
  const Reading reading = read(prose + "```python\nx = 1\n```\n", {.source_bytes = 100});
  EXPECT_EQ(reading.code, "x = 1\n");
}

TEST(Reading, OfAFileNothingIsCut) {
  const std::string code = "def extract(path):\n    return {}\n";
  for (const std::string& text :
       {"```python\n" + code + "```\n", "Here it is:\n\n" + code, code + "\nThis is the code.\n",
        code + "type extract = int\n", std::string("x = “a”\n"), "> " + std::string("x = 1\n"),
        std::string("x =\xC2\xA0"
                    "1\n")}) {
    const Reading reading = read_file(text);
    EXPECT_FALSE(reading.tree) << text;
    EXPECT_EQ(reading.code, text);
    EXPECT_EQ(said(reading).back().substr(0, 5), "AL108") << text;
    EXPECT_NE(reading.findings.back().suggestion.find("airlock clean"), std::string::npos);
    EXPECT_TRUE(read(text).tree) << text;
  }
  EXPECT_EQ(said(read_file("improt re\nx = 1\n")).at(0).substr(0, 5), "AL101");
  EXPECT_EQ(said(read_file("I hope that this helps you.\n")).at(0).substr(0, 5), "AL103");
  EXPECT_EQ(read_file("\xEF\xBB\xBFx = 1\r\ny = 2\r").code, "x = 1\ny = 2\n");
}

TEST(Reading, LimitsHoldBeforeTheParser) {
  EXPECT_EQ(said(read("x = 1\n" + std::string(100, '#'), {.source_bytes = 50})),
            (std::vector<std::string>{"AL104 1:0"}));
  EXPECT_EQ(said(read(std::string(201, '#'), {.source_bytes = 50})),
            (std::vector<std::string>{"AL104 1:0"}));
  EXPECT_EQ(said(read("x = ((((1))))\n", {.bracket_depth = 3})),
            (std::vector<std::string>{"AL105 1:7"}));
  EXPECT_TRUE(read("x = (((1)))\n", {.bracket_depth = 3}).tree);
}

TEST(Reading, BytesThatAreNoTextAreSaid) {
  EXPECT_EQ(said(read("x = '\xFF'\n")).at(0).substr(0, 5), "AL106");
  EXPECT_EQ(said(read(std::string_view("x = 1\0\n", 7))).at(0).substr(0, 5), "AL107");
  EXPECT_EQ(said(read("")), (std::vector<std::string>{"AL103 1:0"}));
  EXPECT_EQ(said(read("# -*- coding: utf-7 -*-\nx = 1\n")).at(0).substr(0, 5), "AL109");
}

TEST(Reading, IndentationHasItsOwnRule) {
  EXPECT_EQ(said(read("def f():\n    a = 1\n      b = 2\n")).at(0).substr(0, 5), "AL102");
}

TEST(Reading, WhatIsQuotedIsCutBetweenCharacters) {
  std::string letters;
  for (int i = 0; i < 60; ++i) letters += "é";
  for (const std::string& odd : {std::string(), std::string("x")}) {
    for (const std::string& raw :
         {fmt::format("```{}{}\nx = 1\n```\n", odd, letters),
          fmt::format("x = 1\n```{}{}\ny = 2\n", odd, letters),
          fmt::format("{{\"{}{}\": \"x = 1\\ny = 2\\n\"}}", odd, letters)}) {
      for (const Finding& one : read(raw).findings)
        EXPECT_EQ(find_invalid_utf8(one.item + one.message), std::nullopt) << raw;
    }
  }
}

TEST(Reading, NotesAboutWhatWasCutPointIntoWhatIsLeft) {
  const Reading reading =
      read("x = 1\ny = 2\n\nThis code does what you asked for, and more.\nIt is short.\n");
  ASSERT_TRUE(reading.tree);
  for (const Finding& one : reading.findings) EXPECT_LE(one.place.line, 3u) << one.message;
}

}  // namespace
}  // namespace airlock::vet::test
