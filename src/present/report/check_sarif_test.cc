// The shape of the log is judged by tests/support/sarif_check.py, a second reading of the standard
// in another language; what the values mean is tested here.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "base/sha256.h"
#include "present/report/check_sarif_parts.h"
#include "present/report/check_writer.h"
#include "support/sample_reports.h"

namespace airlock::cli {
namespace {

using nlohmann::json;

json run_of(std::vector<CheckedFile> files) {
  return json::parse(check_as_sarif(report_of(std::move(files))))["runs"][0];
}

json region_of(CheckedFile file) {
  return run_of({std::move(file)})["results"][0]["locations"][0]["physicalLocation"]["region"];
}

Finding no_eval(Place place) {
  return found(RuleCode::kForbiddenBuiltin, place, "eval", "No eval", "Use int");
}

std::vector<std::string> fingerprints(const std::string& code, std::vector<Finding> findings) {
  std::vector<std::string> out;
  const json run = run_of({checked("x.py", code, std::move(findings))});
  for (const json& result : run["results"]) {
    out.push_back(result["partialFingerprints"]["airlockFinding/v1"]);
  }
  return out;
}

// What sarif_check.py says of a log; empty when it holds.
std::string objections_to(const std::string& log) {
  std::string path = testing::TempDir() + "airlock_sarif_XXXXXX";
  const int fd = mkstemp(path.data());
  if (fd < 0) return "no temporary file";
  close(fd);
  std::ofstream(path, std::ios::binary) << log;
  const std::string command =
      "python3 '" AIRLOCK_SOURCE_DIR "/tests/support/sarif_check.py' '" + path + "' 2>&1";
  std::string said;
  FILE* pipe = popen(command.c_str(), "r");
  for (int c = 0; pipe != nullptr && (c = fgetc(pipe)) != EOF;) said += static_cast<char>(c);
  const int status = pipe == nullptr ? -1 : pclose(pipe);
  unlink(path.c_str());
  return status == 0 ? said : said + "(failed)";
}

TEST(CheckSarif, HoldsToTheStandard) {
  CheckedFile raw = checked("/abs/dir with space/ü.py", "import os\n", {no_eval({1, 0, 1, 6})});
  raw.raw =
      "\xEF\xBB\xBF"
      "import os\r\n";
  EXPECT_EQ(objections_to(check_as_sarif(report_of({}))), "");
  EXPECT_EQ(objections_to(check_as_sarif(report_of(
                {checked("ok.py", "x\n"), raw, checked("<stdin>", "eval", {no_eval({1, 0, 1, 4})}),
                 checked("./a/../b%c:d.py", "", {found(RuleCode::kNoCode, {}, "", "")})}))),
            "");
}

TEST(CheckSarif, HoldsToTheStandardWhateverTheVetterSends) {
  const std::string bytes("\xff\x00\x1b]\n(\"\\{0}\xe6\x9d", 13);
  CheckedFile file = checked("a\n\xff?#\x1b", bytes, findings_at_impossible_places());
  file.verdict.findings.push_back(found(RuleCode::kNotUtf8, {}, bytes, bytes, bytes));
  EXPECT_EQ(objections_to(check_as_sarif(report_of({file}))), "");
  file.verdict.lines.lines = {{kHuge, -5}, {0, 2147483647}};
  EXPECT_EQ(objections_to(check_as_sarif(report_of({file}))), "");
}

TEST(CheckSarif, IsHeldByACheckThatCanFail) {
  const std::string log =
      check_as_sarif(report_of({checked("x.py", "eval", {no_eval({1, 0, 1, 4})})}));
  const std::pair<const char*, json> faults[] = {
      {"/version", "2.0.0"},
      {"/runs/0/results/0/level", "fatal"},
      {"/runs/0/results/0/ruleIndex", 0},
      {"/runs/0/results/0/extra", 1},
      {"/runs/0/results/0/locations/0/physicalLocation/region/startLine", 0},
      {"/runs/0/results/0/locations/0/physicalLocation/region/endColumn", 0},
      {"/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", "a b.py"},
      {"/runs/0/results/0/locations/0/physicalLocation/artifactLocation/index", 7},
      {"/runs/0/artifacts/0/hashes/sha-256", "abc"},
      {"/runs/0/tool/driver/rules/0/name", "not_pascal"},
      {"/runs/0/tool/driver/rules/0/properties/tags", json::array({"a", "a"})},
      {"/runs/0/columnKind", "bytes"},
      {"/runs/0/invocations", json::array()},
  };
  for (const auto& [pointer, value] : faults) {
    json broken = json::parse(log);
    broken[json::json_pointer(pointer)] = value;
    EXPECT_NE(objections_to(broken.dump()), "") << pointer;
  }
}

TEST(CheckSarif, NamesEveryRuleOnceInTheOrderOfTheTable) {
  const json rules = run_of({})["tool"]["driver"]["rules"];
  ASSERT_EQ(rules.size(), all_rules().size());
  std::set<std::string> names;
  for (const Rule& rule : all_rules()) {
    const json& row = rules[sarif_rule_index(rule)];
    EXPECT_EQ(row["id"], rule.name);
    EXPECT_TRUE(names.insert(row["name"]).second) << row["name"];
    EXPECT_EQ(row["properties"].contains("security-severity"), rule.stage == Stage::kSecurity);
  }
}

TEST(CheckSarif, ListsEveryFileWithTheHashOfItsBytes) {
  CheckedFile file = checked("x.py", "x = 1\n");
  file.raw = "x = 1\r\n";
  const json run = run_of({file, checked("y.py", "y\n", {no_eval({1, 0, 1, 1})})});
  ASSERT_EQ(run["artifacts"].size(), 2U);
  EXPECT_EQ(run["artifacts"][0]["hashes"]["sha-256"], sha256_hex("x = 1\r\n"));
  const json location = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
  EXPECT_EQ(location["index"], 1);
  EXPECT_EQ(location["uri"], "y.py");
}

TEST(CheckSarif, CountsCodePointsInTheFileOnDisk) {
  CheckedFile file = checked("x.py", "'名', eval\n", {no_eval({1, 7, 1, 11})});
  file.raw = "Sure:\n> '名', eval\n";
  file.verdict.lines.lines = {{2, 2}};
  EXPECT_EQ(region_of(file), json::parse(R"({"startLine": 2, "startColumn": 8, "endLine": 2,
                                             "endColumn": 12, "snippet": {"text": "eval"}})"));
}

TEST(CheckSarif, LeavesAVeryLongSnippetOut) {
  const std::string code(100000, 'x');
  EXPECT_FALSE(region_of(checked("x.py", code, {no_eval({1, 0, 1, 100000})})).contains("snippet"));
}

TEST(CheckSarif, AppendsTheSuggestionToTheMessage) {
  const json run = run_of({checked("x.py", "eval", {no_eval({1, 0, 1, 4})})});
  EXPECT_EQ(run["results"][0]["message"]["text"], "No eval\nUse int");
}

TEST(CheckSarif, MakesNoLinksOfWhatStrangersWrote) {
  const json run = run_of(
      {checked("x.py", "x", {found(RuleCode::kForbiddenBuiltin, {}, "x", "[a](http://b)\u202e")})});
  EXPECT_EQ(run["results"][0]["message"]["text"], "[a] (http://b)<U+202E>");
}

TEST(SarifFingerprint, SurvivesMovedAndIndentedLines) {
  const auto before = fingerprints("x = eval(s)\n", {no_eval({1, 4, 1, 8})});
  const auto after = fingerprints("\n\nif s:\n    x = eval(s)\n", {no_eval({4, 8, 4, 12})});
  EXPECT_EQ(before, after);
}

TEST(SarifFingerprint, TellsApartRulesItemsLinesAndRepetitions) {
  const auto all = fingerprints(
      "eval eval\nx = eval\nx = eval\n",
      {no_eval({1, 0, 1, 4}), no_eval({1, 5, 1, 9}), no_eval({2, 4, 2, 8}), no_eval({3, 4, 3, 8}),
       found(RuleCode::kForbiddenBuiltin, {3, 4, 3, 8}, "open", ""),
       found(RuleCode::kUndefinedName, {3, 4, 3, 8}, "eval", "")});
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
}

TEST(SarifLocation, IsAUriForEveryName) {
  EXPECT_EQ(sarif_location("a/b.py")["uri"], "a/b.py");
  EXPECT_EQ(sarif_location("./a b.py")["uri"], "a%20b.py");
  EXPECT_EQ(sarif_location(".//a.py")["uri"], "a.py");
  EXPECT_EQ(sarif_location("c:x%.py")["uri"], "c%3Ax%25.py");
  EXPECT_EQ(sarif_location("ü\xff#?")["uri"], "%C3%BC%FF%23%3F");
  EXPECT_EQ(sarif_location("a.py")["uriBaseId"], "%SRCROOT%");
  EXPECT_EQ(sarif_location("/a b/c.py").dump(), R"({"uri":"file:///a%20b/c.py"})");
}

}  // namespace
}  // namespace airlock::cli
