#include "text/prose.h"

#include <gtest/gtest.h>

#include "support/answers.h"
#include "text/python_names.h"

namespace airlock::text {
namespace {

TEST(Prose, LinesOfPythonAreKnown) {
  for (const char* line : {"import re",
                           "import os.path as p, sys",
                           "from a.b import (",
                           "from . import x",
                           "def f(x)",
                           "class A:",
                           "async def f():",
                           "@cache",
                           "if x:",
                           "else:  # why",
                           "for a in b:",
                           "NAME = 1",
                           "a.b[0] = 2",
                           "x: int = 3",
                           "a, b = c",
                           "print(x)",
                           "    return {}",
                           "return result",
                           "\"\"\"Doc.",
                           "})",
                           "print \"x\"",
                           "#!/usr/bin/env python"}) {
    EXPECT_TRUE(is_code_line(line)) << line;
    EXPECT_FALSE(is_prose_line(line)) << line;
  }
}

TEST(Prose, LinesForPeopleAreKnown) {
  for (const char* line : {"Sure!", "Here is the code:", "import the module and run it",
                           "class of problems that we have", "for every path it returns a dict.",
                           "return the dict to the caller", "- a list item", "2. another one",
                           "# Heading", "<answer>", "---", "$ pip install x", "Copy code",
                           "| a | b |", "Вот код:", "Ich kann das leider nicht."}) {
    EXPECT_TRUE(is_prose_line(line)) << line;
    EXPECT_FALSE(is_code_line(line)) << line;
  }
}

TEST(Prose, DoubtfulLinesAreNeither) {
  for (const char* line : {"improt re", "deff f(x):", "x ++ y", "]]", "else if x > 3"}) {
    EXPECT_FALSE(is_prose_line(line)) << line;
  }
}

TEST(Prose, TextAroundTheCodeIsCut) {
  const CodeCandidate out =
      first_of("Sure! Here is the extractor:\n\n" + kCode +
               "\nThis looks at the path and returns a dict.\n\n- client: the client\n");
  EXPECT_EQ(out.code, kCode + "\n");
  EXPECT_EQ(out.lines.to_raw({.line = 1}).line, 3u);
  EXPECT_EQ(said(out, RuleCode::kProseRemoved),
            "Removed the text around the code (lines 1 to 2, lines 11 to 13)");
}

TEST(Prose, AnIndentedBlockOfMarkdownIsFound) {
  EXPECT_EQ(first_of("Here is the code:\n\n    import re\n\n    def extract(path):\n        return "
                     "{}\n\nThat is all.\n")
                .code,
            "import re\n\ndef extract(path):\n    return {}\n\n");
}

TEST(Prose, ADoubtfulFirstLineIsNotCut) {
  EXPECT_TRUE(extraction_of("improt re\n\ndef extract(path):\n    return {}\n").candidates.empty());
}

TEST(Prose, CommentsAloneAreNotCut) {
  EXPECT_EQ(extraction_of("```python\n# coding: utf-7\n\n" + kCode + "```\n").candidates.size(),
            1u);
}

TEST(Prose, CodeWithASlipHasNoOtherReading) {
  const Extraction out = extraction_of("import re\n\ndef extract(path) -> dict\n    return {}\n");
  EXPECT_TRUE(out.candidates.empty());
  EXPECT_TRUE(out.unrecoverable.empty());
}

TEST(Prose, ProseInsideAFenceIsASecondReading) {
  const std::string answer = "```\nHere is the code:\n\n" + kCode + "```\n";
  EXPECT_NE(first_of(answer).code, kCode);
  EXPECT_TRUE(offers(answer, kCode));
}

TEST(Prose, ProseOnlyIsNoCode) {
  const Unrecoverable out =
      hopeless_of("I'm sorry, but I cannot do that. Could you give me more samples?\n");
  EXPECT_EQ(out.rule, RuleCode::kNoCode);
  EXPECT_EQ(out.message, "No code found in the answer");
  EXPECT_EQ(hopeless_of("\n\nSorry").raw_line, 3u);
}

TEST(Prose, AShellSessionIsNoCode) {
  EXPECT_EQ(hopeless_of("$ pip install x\n$ python3 x.py\n").rule, RuleCode::kNoCode);
}

TEST(OtherForms, APageOfHtmlIsNotPython) {
  EXPECT_EQ(hopeless_of("<!DOCTYPE html>\n<html><body>x</body></html>\n").rule,
            RuleCode::kNotPython);
  EXPECT_EQ(hopeless_of("\n<HTML>\n").rule, RuleCode::kNotPython);
}

TEST(OtherForms, ABareDiffIsNotPython) {
  EXPECT_EQ(hopeless_of("--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n").rule,
            RuleCode::kNotPython);
  EXPECT_EQ(hopeless_of("diff --git a/x b/x\nindex 1..2\n").rule, RuleCode::kNotPython);
}

TEST(OtherForms, EntitiesAreNotUnescaped) {
  EXPECT_EQ(first_of("```python\ndef extract(path) -&gt; dict:\n    return {}\n```\n").code,
            "def extract(path) -&gt; dict:\n    return {}\n");
}

TEST(NameUse, WhatIsBoundIsNotMissed) {
  const NameUse user = collect_names(
      "def f(a, *b, c=1):\n    d = x\n    for e in y:\n        pass\n    with z as g:\n        "
      "pass\n");
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g"})
    EXPECT_TRUE(user.bound.contains(name)) << name;
  for (const char* name : {"x", "y", "z"}) EXPECT_FALSE(user.bound.contains(name)) << name;
}

TEST(NameUse, DefinitionsAreThoseAtTheMargin) {
  const NameUse names = collect_names(
      "import a.b\nfrom c import d as e\nF = 1\ndef g():\n    h = 1\nclass I:\n    j = 2\nK.l = "
      "3\n");
  for (const char* name : {"a", "e", "F", "g", "I"})
    EXPECT_TRUE(names.defined.contains(name)) << name;
  for (const char* name : {"h", "j", "l"}) EXPECT_FALSE(names.defined.contains(name)) << name;
}

TEST(NameUse, FieldsOfFormattedStringsAreMentions) {
  EXPECT_TRUE(collect_names("x = f'{helper(y)}'\n").mentioned.contains("helper"));
  EXPECT_FALSE(collect_names("x = 'helper'  # helper\n").mentioned.contains("helper"));
}

TEST(Extraction, AtMostEightCandidatesAreOffered) {
  std::string answer;
  for (int i = 0; i < 50; ++i)
    answer += "```\ndef extract(p):\n    return " + std::to_string(i) + "\n```\nSome prose.\n";
  EXPECT_LE(extraction_of(answer).candidates.size(), 8u);
}

TEST(Extraction, ChangesOfDecodingAreCarriedOn) {
  EXPECT_FALSE(
      said(first_of("\xEF\xBB\xBF```python\r\nx = 1\r\n```\r\n"), RuleCode::kByteOrderMarkRemoved)
          .empty());
}

}  // namespace
}  // namespace airlock::text
