#include "text/wrappers.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/answers.h"

namespace airlock::text {
namespace {

using nlohmann::json;

TEST(Thinking, AReasoningSectionIsRemovedWithItsDrafts) {
  const CodeCandidate out = first_of(
      "<think>\nMaybe\n```python\nimport os\ndef extract(p): pass\n```\n</think>\n```python\n" +
      kCode + "```\n");
  EXPECT_EQ(out.code, kCode);
  EXPECT_EQ(said(out, RuleCode::kThinkingRemoved),
            "Removed the reasoning in <think> (lines 1 to 7)");
}

TEST(Thinking, EveryNameOfTheTagIsKnown) {
  for (const char* tag : {"think", "thinking", "reasoning", "THINK"}) {
    const std::string name = tag;
    EXPECT_EQ(first_of("<" + name + ">so</" + name + ">\n" + kCode).code, kCode) << tag;
  }
}

TEST(Thinking, CodeMayFollowOnTheSameLine) {
  const CodeCandidate out = first_of("<think>so</think>" + kCode);
  EXPECT_EQ(out.code, kCode);
  EXPECT_EQ(out.lines.to_raw({.line = 1}).column, 17u);
}

TEST(Thinking, EverythingInFrontOfALoneClosingTagGoes) {
  EXPECT_EQ(
      first_of("First I try\n```python\ndef extract(p): pass\n```\nGood.\n</think>\n" + kCode).code,
      kCode);
}

TEST(Thinking, OfAnUnclosedOpeningOnlyTheTagGoesWithAWarning) {
  const CodeCandidate out = first_of("<think>\nLet me see.\n```python\n" + kCode + "```\n");
  EXPECT_EQ(out.code, kCode);
  const auto change =
      std::ranges::find(out.changes, RuleCode::kThinkingRemoved, &CleaningChange::rule);
  ASSERT_NE(change, out.changes.end());
  EXPECT_EQ(change->severity, Severity::kWarning);
}

TEST(Thinking, ATagInsideAFenceIsCode) {
  const std::string code =
      "def extract(path):\n    s = '''\n<think>\n</think>\n'''\n    return {'s': s}\n";
  EXPECT_EQ(first_of("```python\n" + code + "```\n").code, code);
}

TEST(Thinking, ALineFullOfTagsIsReadToAnEnd) {
  std::string line;
  for (int i = 0; i < 10000; ++i) line += "<think></think>";
  EXPECT_TRUE(extraction_of(line + "\nx = 1\n").unrecoverable.empty());
}

TEST(Tags, LayersComeOffOneByOne) {
  const CodeCandidate out = first_of("<answer>\n<code>\n" + kCode + "</code>\n</answer>\n");
  EXPECT_EQ(out.code, kCode);
  EXPECT_EQ(out.lines.to_raw({.line = 1}).line, 3u);
  EXPECT_EQ(std::ranges::count(out.changes, RuleCode::kWrapperRemoved, &CleaningChange::rule), 2);
}

TEST(Tags, AttributesAndSharedLinesAreFine) {
  EXPECT_EQ(first_of("<pre><code class=\"language-python\">" + kCode + "</code></pre>\n").code,
            kCode);
}

TEST(Tags, CdataSectionsAreOpened) {
  EXPECT_EQ(first_of("<answer><![CDATA[\n" + kCode + "]]></answer>\n").code, kCode);
}

TEST(Tags, TextAroundTheTagsIsNamed) {
  const CodeCandidate out = first_of("Here it is:\n<solution>\n" + kCode + "</solution>\nBye.\n");
  EXPECT_EQ(out.code, kCode);
  EXPECT_EQ(said(out, RuleCode::kProseRemoved),
            "Removed the text around the code (line 1, line 11)");
}

TEST(Tags, AnUnclosedTagRunsToTheEnd) {
  EXPECT_EQ(first_of("<answer>\n" + kCode).code, kCode);
}

TEST(Tags, AFenceInsideIsOpenedNext) {
  EXPECT_EQ(first_of("<answer>\nSure:\n```python\n" + kCode + "```\n</answer>\n").code, kCode);
}

TEST(Tags, ATagInTheProseBesideAFenceIsNoWrapper) {
  EXPECT_EQ(first_of("<code>extract</code> does it:\n```python\n" + kCode + "```\n").code, kCode);
}

TEST(Json, TheCodeIsTakenOutOfItsString) {
  const CodeCandidate out = first_of(json{{"code", kCode}, {"note", "none"}}.dump());
  EXPECT_EQ(out.code, kCode);
  EXPECT_EQ(said(out, RuleCode::kWrapperRemoved),
            "Took the code out of the JSON string \"code\" on line 1");
}

TEST(Json, AllLinesStandWhereTheStringStarts) {
  const CodeCandidate out =
      first_of("{\n  \"note\": \"x\",\n  \"code\": " + json(kCode).dump() + "\n}\n");
  EXPECT_EQ(out.code, kCode);
  EXPECT_EQ(out.lines.to_raw({.line = 5, .column = 4}).line, 3u);
  EXPECT_EQ(out.lines.to_raw({.line = 5, .column = 4}).column, 4u);
}

TEST(Json, NestedAnswersOfModelServersAreRead) {
  EXPECT_EQ(first_of(json{{"result", {{"code", kCode}}}}.dump()).code, kCode);
  const json choice = {
      {"message", {{"role", "assistant"}, {"content", "Sure:\n```python\n" + kCode + "```\n"}}}};
  EXPECT_EQ(first_of(json{{"choices", json::array({choice})}}.dump(2)).code, kCode);
}

TEST(Json, AStringOrAListOfLinesAloneIsRead) {
  EXPECT_EQ(first_of(json(kCode).dump()).code, kCode);
  const CodeCandidate out =
      first_of(json{{"code", {"import re", "", "def extract(path):", "    return {}"}}}.dump(1));
  EXPECT_EQ(out.code, "import re\n\ndef extract(path):\n    return {}\n");
  EXPECT_EQ(out.lines.to_raw({.line = 4}).line, 6u);
}

TEST(Json, AJsonFenceIsOpened) {
  EXPECT_EQ(first_of("Here:\n```json\n" + json{{"code", kCode}}.dump(2) + "\n```\n").code, kCode);
}

TEST(Json, ProseAroundItIsCut) {
  EXPECT_EQ(first_of("Here is the JSON:\n\n" + json{{"code", kCode}}.dump() + "\n\nBye.\n").code,
            kCode);
}

TEST(Json, EscapesOfEveryKindAreDecoded) {
  EXPECT_EQ(
      first_of(R"({"code": "def extract(path):\r\n\treturn {\"\ud83d\ude00\": \"\u00e9\"}"})").code,
      "def extract(path):\n\treturn {\"\U0001F600\": \"\u00E9\"}\n");
}

TEST(Json, RawLineEndsAndUnknownEscapesAreForgiven) {
  const CodeCandidate out = first_of(
      "{\"code\": \"import re\ndef extract(path):\n\treturn {'m': re.search('\\d', path)}\n\"}");
  EXPECT_EQ(out.code, "import re\ndef extract(path):\n\treturn {'m': re.search('\\d', path)}\n");
  EXPECT_EQ(out.lines.to_raw({.line = 3}).line, 3u);
}

TEST(Json, JsonInJsonIsOpenedTwice) {
  EXPECT_EQ(first_of(json(json{{"code", kCode}}.dump()).dump()).code, kCode);
}

TEST(Json, DataWithoutCodeIsNoCode) {
  EXPECT_EQ(hopeless_of("{\"client\": \"ABC\", \"year\": 2024}\n").rule, RuleCode::kNoCode);
}

TEST(Json, DeepNestingIsRefusedUnread) {
  const std::string deep = std::string(100000, '[') + "\"def extract(\"" + std::string(100000, ']');
  EXPECT_TRUE(extraction_of(deep).candidates.empty());
}

TEST(Json, AnEscapedNulByteIsNotTakenOut) {
  EXPECT_TRUE(
      extraction_of(R"({"code": "def extract(path):\n    return '\u0000'"})").candidates.empty());
}

TEST(Escapes, OneLineWithEscapedLineEndsIsSpread) {
  EXPECT_EQ(first_of(R"(import re\n\ndef extract(path):\n    return {\"a\": 1})").code,
            "import re\n\ndef extract(path):\n    return {\"a\": 1}\n");
}

TEST(LooksWrapped, WrappersThatParseAsPythonAreSeen) {
  EXPECT_TRUE(looks_wrapped("{\"code\": \"x\"}\n"));
  EXPECT_TRUE(looks_wrapped("[\"import re\"]"));
  EXPECT_TRUE(looks_wrapped("\"import re\""));
  EXPECT_TRUE(looks_wrapped("Sorry"));
}

TEST(LooksWrapped, OrdinaryFilesAreNot) {
  EXPECT_FALSE(looks_wrapped(kCode));
  EXPECT_FALSE(looks_wrapped("\"\"\"Doc.\"\"\"\nx = \"\""));
  EXPECT_FALSE(looks_wrapped("x = {\n}"));
  EXPECT_FALSE(looks_wrapped("python\nimport re\n"));
  EXPECT_FALSE(looks_wrapped("{'a': 1}\nimport os\n{}"));
  EXPECT_FALSE(looks_wrapped("{\"a\": \"\"\"\n```python\nx\n```\n\"\"\"}"));
  EXPECT_FALSE(looks_wrapped(""));
}

}  // namespace
}  // namespace airlock::text
