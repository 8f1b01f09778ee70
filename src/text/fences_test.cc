#include "text/fences.h"

#include <gtest/gtest.h>

#include "support/answers.h"

namespace airlock::text {
namespace {

TEST(Fences, TheCodeStandsBetweenTheFences) {
  const CodeCandidate out = first_of("```python\n" + kCode + "```\n");
  EXPECT_EQ(out.code, kCode);
  EXPECT_EQ(out.lines.lines.size(), 7u);
  EXPECT_EQ(out.lines.to_raw({.line = 4}).line, 5u);
  EXPECT_EQ(said(out, RuleCode::kFenceRemoved),
            "Removed the Markdown fence ```python around the code (lines 1 to 9)");
}

TEST(Fences, AnyInfoStringWillDo) {
  for (const char* info :
       {"", "py", "Python title=\"x.py\"", "python3", "{.python .numberLines}",
        "python:extractor.py", "extractor.py", "PYTHON", " python ", "codeblock"}) {
    EXPECT_EQ(first_of(std::string("```") + info + "\n" + kCode + "```\n").code, kCode) << info;
  }
}

TEST(Fences, TildesAreFencesToo) {
  EXPECT_EQ(first_of("~~~python\n" + kCode + "~~~\n").code, kCode);
}

TEST(Fences, ALongerFenceMayHoldAShorterOne) {
  EXPECT_EQ(first_of("`````python\n" + kCode + "# ```\n```\n`````\n").code, kCode + "# ```\n```\n");
}

TEST(Fences, AMarkdownBlockIsOpenedForTheFenceInside) {
  EXPECT_EQ(first_of("````markdown\nHere:\n```python\n" + kCode + "```\n````\n").code, kCode);
}

TEST(Fences, AnIndentedFenceTakesItsIndentationAway) {
  const CodeCandidate out =
      first_of("1. Use this:\n\n   ```python\n" + with_marks(kCode, "   ") + "   ```\n");
  EXPECT_EQ(out.code, kCode);
  EXPECT_EQ(out.lines.to_raw({.line = 1, .column = 7}).column, 10u);
}

TEST(Fences, AFenceMayStandBehindABullet) {
  EXPECT_EQ(first_of("- ```python\n" + with_marks(kCode, "  ") + "  ```\n").code, kCode);
}

TEST(Fences, AFenceMayStandBehindASentence) {
  EXPECT_EQ(first_of("Here is the code: ```python\n" + kCode + "```\n").code, kCode);
}

TEST(Fences, AnUnclosedFenceRunsToTheEnd) {
  const CodeCandidate out = first_of("```python\n" + kCode);
  EXPECT_EQ(out.code, kCode);
  EXPECT_NE(said(out, RuleCode::kFenceRemoved).find("nothing closes it"), std::string::npos);
}

TEST(Fences, AnUnclosedFenceEndsWhereTheNextOneStarts) {
  EXPECT_EQ(first_of("```python\n" + kCode + "```json\n{\"a\": 1}\n").code, kCode);
}

TEST(Fences, CodeMayStartOnTheOpeningLine) {
  const CodeCandidate out = first_of("```python import re\nx = re\n```\n");
  EXPECT_EQ(out.code, "import re\nx = re\n");
  EXPECT_EQ(out.lines.to_raw({.line = 1}).column, 10u);
}

TEST(Fences, CodeMayEndOnTheClosingLine) {
  EXPECT_EQ(first_of("```python\nimport re\nx = re```\n\nThat is all there is.\n").code,
            "import re\nx = re\n");
}

TEST(Fences, OneLineMayBeAWholeBlock) {
  EXPECT_EQ(first_of("Use this:\n```def extract(path): return {}```\n").code,
            "def extract(path): return {}\n");
}

TEST(Fences, AFenceInAnIndentedDocstringEndsNothing) {
  const std::string code =
      "def extract(path):\n    \"\"\"Doc.\n    ```\n    x\n    ```\n    \"\"\"\n";
  EXPECT_EQ(first_of("```python\n" + code + "```\n").code, code);
}

TEST(Fences, AFenceInADocstringAtTheMarginIsReadBothWays) {
  const std::string code = "\"\"\"Doc.\n\n```\nx\n```\n\"\"\"\n" + kCode;
  EXPECT_TRUE(offers("```python\n" + code + "```\n", code));
}

TEST(Fences, ALoneClosingFenceEndsTheCodeAboveIt) {
  const CodeCandidate out = first_of(kCode + "```\n\nThis works on your samples.\n");
  EXPECT_EQ(out.code, kCode);
  EXPECT_NE(said(out, RuleCode::kFenceRemoved).find("line 8, which nothing opens"),
            std::string::npos);
}

TEST(Fences, ABrokenFileWithAFenceInItsDocstringIsNotCutThere) {
  EXPECT_TRUE(
      extraction_of(
          "import re\ndef extract(path)\n    \"\"\"Doc.\n    ```\n    x = 1\n    ```\n    \"\"\"\n")
          .candidates.empty());
}

TEST(Fences, TextAroundTheFenceIsNamed) {
  EXPECT_EQ(said(first_of("Sure!\n\n```\n" + kCode + "```\nBye.\n"), RuleCode::kProseRemoved),
            "Removed 2 lines of text outside the code (between 1 and 12)");
}

TEST(Fences, InlineCodeOpensNoFence) {
  EXPECT_FALSE(open_fence("```x``` is inline"));
  EXPECT_FALSE(open_fence("``two marks"));
  EXPECT_FALSE(open_fence("x = \"```python\""));
}

TEST(Fences, NoMoreThanTwoHundredAreRead) {
  std::string answer;
  for (int i = 0; i < 1000; ++i) answer += "```\nx = 1\n```\n";
  CodeCandidate decoded{answer, {}, {}};
  Page page;
  append_lines(page, decoded.code, {});
  EXPECT_EQ(find_fences(page).size(), 200u);
}

}  // namespace
}  // namespace airlock::text
