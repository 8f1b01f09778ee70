#include "vet/reading.h"

#include <fmt/format.h>

#include "base/utf8.h"
#include "vet/vet_test_support.h"

namespace airlock::vet::test {
namespace {

Reading read(std::string_view raw, VetLimits limits = {}) {
  start_interpreter();
  return read_source(raw, limits);
}

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
