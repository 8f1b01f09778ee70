#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "present/report/check_writer.h"
#include "support/sample_reports.h"

namespace airlock::cli {
namespace {

TEST(CheckJson, OfNoFilesIsADocument) {
  EXPECT_EQ(check_as_json(report_of({})),
            "{\"version\":\"" AIRLOCK_VERSION "\",\"policy\":\"extractor\",\"files\":[]}\n");
}

TEST(CheckJson, HasTheContractsKeysInTheContractsOrder) {
  CheckedFile file =
      checked("x.py", "import os\n",
              {found(RuleCode::kForbiddenImport, {1, 7, 1, 9}, "os", "No os", "import os.path")});
  file.raw = "Sure:\n> import os\n";
  file.verdict.lines.lines = {{2, 2}};
  EXPECT_EQ(
      check_as_json(report_of({file})),
      "{\"version\":\"" AIRLOCK_VERSION
      "\",\"policy\":\"extractor\",\"files\":[\n"
      R"({"file":"x.py","sha256":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",)"
      R"("verdict":"refused","stage":"security","cleaned":true,"code":"import os\n","findings":[{"rule":"AL201","stage":"security",)"
      R"("severity":"error","kind":"forbidden_import","item":"os","line":1,"column":7,"end_line":1,)"
      R"("end_column":9,"raw_line":2,"raw_column":9,"message":"No os","suggestion":"import os.path"}]})"
      "\n]}\n");
}

TEST(CheckJson, HasAnEmptyListAndNullWhereThereIsNothing) {
  const auto document = nlohmann::json::parse(check_as_json(
      report_of({checked("a.py", "x\n"),
                 checked("b.py", "x\n", {found(RuleCode::kNoCode, {}, "", "No code")})})));
  EXPECT_TRUE(document["files"][0]["findings"].empty());
  EXPECT_EQ(document["files"][0]["verdict"], "accepted");
  EXPECT_EQ(document["files"][0]["stage"], "complete");
  EXPECT_TRUE(document["files"][1]["findings"][0]["suggestion"].is_null());
}

TEST(CheckJson, StaysJsonWhateverTheBytes) {
  const std::string bytes("\xff\x00\x1b\n\"\\\xe6\x9d", 8);
  CheckedFile file = checked(bytes, bytes, {found(RuleCode::kNotUtf8, {}, bytes, bytes, bytes)});
  CheckReport report = report_of({file});
  report.policy = bytes;
  const auto document = nlohmann::json::parse(check_as_json(report));
  EXPECT_EQ(document["files"][0]["findings"][0]["item"].get<std::string>().substr(0, 3),
            "\xEF\xBF\xBD");
}

TEST(CheckJson, GivesUntrustedNumbersAsTheyCame) {
  const CheckedFile file = checked("x.py", "x\n", findings_at_impossible_places());
  const auto document = nlohmann::json::parse(check_as_json(report_of({file})));
  EXPECT_EQ(document["files"][0]["findings"].back()["end_column"], kHuge);
}

TEST(CheckJson, KeepsTheOrderOfManyFiles) {
  std::vector<CheckedFile> files;
  for (int i = 0; i < 3000; ++i) files.push_back(checked(std::to_string(i) + ".py", "x\n"));
  const auto document = nlohmann::json::parse(check_as_json(report_of(std::move(files))));
  ASSERT_EQ(document["files"].size(), 3000U);
  EXPECT_EQ(document["files"][2999]["file"], "2999.py");
}

}  // namespace
}  // namespace airlock::cli
