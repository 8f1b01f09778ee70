#include "rules/file/rule_file.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace airlock::rules {
namespace {

std::vector<RuleFileProblem> problems(std::string_view yaml) {
  auto read = read_rule_file(yaml);
  return read ? std::vector<RuleFileProblem>{} : read.error();
}

std::string all_messages(std::string_view yaml) {
  std::string text;
  for (const RuleFileProblem& problem : problems(yaml))
    text += std::to_string(problem.line) + ":" + std::to_string(problem.column) + " " +
            problem.message + "\n";
  return text;
}

bool says(std::string_view yaml, std::string_view words) {
  const std::string text = all_messages(yaml);
  EXPECT_TRUE(text.contains(words)) << text;
  return text.contains(words);
}

TEST(RuleFile, TakesTheWholeFormat) {
  const auto read = read_rule_file(R"yaml(
version: 1
rules:
  - name: "Mission Telemetry"
    glob: "**/mission_*/????-??-??/*.csv"
    extract:
      mission_id: { from: segment(-3), pattern: "mission_(\\d+)", type: integer }
      date:       { from: segment(-2), type: date }
    tag: mission_data
    tag_conditions: [ { if: "mission_id < 100", tag: archived_missions }, { if: "date.year = 2024", tag: current_year } ]
    priority: 100
)yaml");
  ASSERT_TRUE(read) << read.error().front().message;
  ASSERT_EQ(read->rules.size(), 1U);
  EXPECT_EQ(read->rules[0].fields.size(), 2U);
  EXPECT_EQ(read->rules[0].tag_conditions.size(), 2U);
  EXPECT_EQ(read->rules[0].priority, 100);
}

TEST(RuleFile, ARuleAloneIsAFile) {
  const auto read = read_rule_file("extract:\n  year: {from: segment(-3), type: integer}\n");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->rules.size(), 1U);
  EXPECT_FALSE(read->rules[0].glob);
}

TEST(RuleFile, TellsEveryMistakeWithItsPlace) {
  const std::string text = all_messages(
      "version: 1\nrules:\n  - name: x\n    extract:\n      a: {from: segment-3}\n      b: {frm: "
      "filename}\n"
      "      c: {from: filename, type: int}\n      d: {from: filename, normalize: lower}\n");
  EXPECT_TRUE(text.contains("5:17 field 'a'")) << text;
  EXPECT_TRUE(text.contains("segment(N)")) << text;
  EXPECT_TRUE(text.contains("did you mean 'from'?")) << text;
  EXPECT_TRUE(text.contains("did you mean 'integer'?")) << text;
  EXPECT_TRUE(text.contains("did you mean 'lowercase'?")) << text;
}

TEST(RuleFile, RefusesWhatIsNotARule) {
  EXPECT_TRUE(says("", "empty"));
  EXPECT_TRUE(says("- a\n", "map"));
  EXPECT_TRUE(says("rules: []\n", "at least one rule"));
  EXPECT_TRUE(says("rles:\n  - extract: null\n", "did you mean 'rules'?"));
  EXPECT_TRUE(says("version: 2\nextract: null\ntag: x\n", "version 2"));
  EXPECT_TRUE(says("glob: '*.csv'\n", "does nothing"));
  EXPECT_TRUE(says("extract: {a: {from: filename}, a: {from: filename}}\n", "twice"));
  EXPECT_TRUE(says("extract: {a: [1]}\n", "must be a map"));
  EXPECT_TRUE(says("extract: {a: {from: filename}\n", "not YAML"));
  EXPECT_TRUE(says("tag: x\n---\ntag: y\n", "second document"));
}

TEST(RuleFile, FieldsAreChecked) {
  EXPECT_TRUE(says("extract: {a: {from: filename, pattern: '(?<=x)y'}}", "no look-behind"));
  EXPECT_TRUE(says("extract: {a: {from: filename, pattern: '(a)\\1'}}", "no back-references"));
  EXPECT_TRUE(says("extract: {a: {from: filename, pattern: 'a(?=b)'}}", "no look-ahead"));
  EXPECT_TRUE(says("extract: {a: {from: filename, pattern: '(', type: string}}", "cannot be used"));
  EXPECT_TRUE(says("extract: {a: {from: filename, pattern: '(a)', capture: 2}}", "capture is 2"));
  EXPECT_TRUE(says("extract: {a: {from: filename, validate: '1..12'}}", "numbers"));
  EXPECT_TRUE(says("extract: {a: {from: filename, type: integer, validate: '1-12'}}", "1..12"));
  EXPECT_TRUE(says("extract: {a: {from: filename, type: integer, default: x}}", "default"));
  EXPECT_TRUE(says("extract: {a: {from: filename, type: date, format: '%m-%d'}}", "no year"));
  EXPECT_TRUE(says("extract: {a: {from: filename, type: date, format: iso_weak}}",
                   "did you mean 'iso_week'?"));
  EXPECT_TRUE(says("extract: {a: {from: filename}}\ntag_conditions: [{if: 'b < 1', tag: x}]",
                   "no field 'b'"));
  EXPECT_TRUE(says("extract: {a: {from: filename}}\ntag_conditions: [{if: 'a.year = 1', tag: x}]",
                   "only a date"));
  EXPECT_TRUE(says("glob: '[a'\ntag: x\n", "bracket"));
}

TEST(RuleFile, AliasesAreTakenButDoNotMultiply) {
  EXPECT_TRUE(read_rule_file("extract:\n  a: &x {from: filename}\n  b: *x\n"));
  std::string bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string below = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + below;
    for (int j = 0; j < 8; ++j) bomb += "," + below;
    bomb += "]\n";
  }
  EXPECT_TRUE(says(bomb, "more than 50000 values"));
  EXPECT_TRUE(says("a: &a [*a]\n", "inside"));
}

TEST(RuleFile, SizeAndDepthAreLimited) {
  EXPECT_TRUE(says(std::string(kMaxYamlBytes + 1, 'a'), "larger than 1 MiB"));
  std::string bomb = "version: 1\nrules:\n";
  for (int i = 0; i < 100; ++i)
    bomb += "  - { glob: '{,}{,}{,}{,}{,}{,}{,}{,}" + std::string(2000, 'x') + "', tag: t }\n";
  EXPECT_TRUE(says(bomb, "more than 4 MiB of patterns"));
  EXPECT_TRUE(says("version: 1\nglob: '" + std::string(5000, 'x') + "'\ntag: t\n", "4096 bytes"));
  EXPECT_TRUE(says(std::string(40, '[') + std::string(40, ']'), "deeper"));
  EXPECT_TRUE(says("a: \xff\n", "UTF-8"));
  EXPECT_TRUE(says(std::string_view("a: \0\n", 5), "NUL"));
}

TEST(RuleFile, HigherPriorityComesFirst) {
  const auto read = read_rule_file(
      "rules:\n  - {name: low, tag: a, priority: 1}\n  - {name: high, tag: b, priority: 9}\n  - "
      "{name: none, tag: c}\n");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->rules[0].name, "high");
  EXPECT_EQ(read->rules[2].name, "none");
}

}  // namespace
}  // namespace airlock::rules
