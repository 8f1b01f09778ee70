#include "rules/infer/infer.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "rules/file/rule_file.h"
#include "rules/infer/hints.h"
#include "rules/infer/rule_text.h"
#include "rules/infer/templates.h"

namespace airlock::rules {
namespace {

Inference infer(const std::vector<std::string>& paths, const std::vector<NameHint>& hints = {}) {
  const std::vector<std::string_view> views(paths.begin(), paths.end());
  return infer_rules(views, hints);
}

std::vector<std::string> names(const InferredRule& rule) {
  std::vector<std::string> found;
  for (const InferredField& field : rule.fields) found.push_back(field.name);
  return found;
}

using Names = std::vector<std::string>;

TEST(Infer, MissionsAndDates) {
  const auto made =
      infer({"/data/mission_042/2024-01-15/readings.csv", "/data/mission_007/2023-12-31/events.csv",
             "/data/mission_100/2024-02-01/log.csv"});
  ASSERT_EQ(made.rules.size(), 1U);
  EXPECT_EQ(made.rules[0].glob, "**/data/mission_*/???\?-?\?-?\?/*.csv");
  EXPECT_EQ(names(made.rules[0]), (Names{"mission_id", "date", "name"}));
  EXPECT_EQ(made.rules[0].fields[0].type, ValueType::kInteger);
  EXPECT_EQ(made.rules[0].fields[0].pattern, "mission_(\\d+)");
  EXPECT_EQ(made.rules[0].fields[1].type, ValueType::kDate);
}

TEST(Infer, DatesWithoutDashesAreNoCameras) {
  const auto made = infer({"/d/20210131/f0.csv", "/d/20201230/f1.csv", "/d/20241224/f2.csv",
                           "/d/20160116/f3.csv", "/d/20181218/f4.csv"});
  ASSERT_EQ(made.rules.size(), 1U);
  EXPECT_EQ(names(made.rules[0]), (Names{"date", "name"}));
  EXPECT_EQ(made.rules[0].fields[0].type, ValueType::kDate);
  const auto cameras =
      infer({"/card/DCIM/100CANON/IMG_0001.JPG", "/card/DCIM/101_PANA/IMG_0002.JPG",
             "/card/DCIM/102MSDCF/IMG_0003.JPG"});
  ASSERT_EQ(cameras.rules.size(), 1U);
  EXPECT_EQ(names(cameras.rules[0])[0], "folder_number");
}

TEST(Infer, TwoLayoutsAreTwoRules) {
  std::vector<std::string> paths;
  for (int i = 1; i < 9; ++i) {
    paths.push_back("/data/mission_0" + std::to_string(i) + "/2024-01-0" + std::to_string(i) +
                    "/a.csv");
    paths.push_back("/fix/201" + std::to_string(i) + "/Q" + std::to_string(i % 4 + 1) + "/x.log");
  }
  const auto made = infer(paths);
  ASSERT_EQ(made.rules.size(), 2U);
  EXPECT_EQ(made.rules[0].paths, 8U);
}

TEST(Infer, VariableDepth) {
  const auto made = infer({"/repo/org/apache/commons/lang/3.12.0/lang-3.12.0.jar",
                           "/repo/junit/junit/4.13.1/junit-4.13.1.jar",
                           "/repo/com/google/guava/31.1.0/guava-31.1.0.jar",
                           "/repo/org/slf4j/api/2.0.1/api-2.0.1.jar"});
  ASSERT_EQ(made.rules.size(), 1U);
  EXPECT_TRUE(made.rules[0].is_deep);
  EXPECT_EQ(names(made.rules[0]), (Names{"group_id", "artifact_id", "version"}));
}

TEST(Infer, WhatIsWrittenReadsBack) {
  const auto made = infer({"/a=1/\xff\xfe/x\"y.csv", "/a=2/\xff\xfd/x\"z.csv",
                           "/a=3/\xff\xfc/x\"w.csv", "/a=4/{}/[*].csv"});
  for (const InferredRule& rule : made.rules) {
    const auto read = read_rule_file(rule_file_text({&rule, 1}, {}));
    EXPECT_TRUE(read) << rule_file_text({&rule, 1}, {});
  }
}

TEST(Infer, HintsNameSegments) {
  const auto made = infer({"/data/a7/x.csv", "/data/b8/y.csv", "/data/c9/z.csv"},
                          read_hint("segment(-2) = client_id").names);
  EXPECT_EQ(names(made.rules[0]).front(), "client_id");
}

TEST(TokenClass, EveryClassHasItsName) {
  EXPECT_EQ(name_of(TokenClass::kDate), "date");
  EXPECT_EQ(name_of(TokenClass::kUid), "registered number");
  EXPECT_EQ(name_of(TokenClass::kCode), "code");
  EXPECT_EQ(name_of(TokenClass::kText), "text");
}

TEST(Hints, AreReadFromWords) {
  const ParsedHint words =
      read_hint("The second folder is the mission, the last folder is the date");
  ASSERT_EQ(words.names.size(), 2U);
  EXPECT_EQ(words.names[0].index, 1);
  EXPECT_EQ(words.names[0].name, "mission");
  EXPECT_EQ(words.names[1].index, -2);
  EXPECT_EQ(read_hint("compute the start and end month").python_words.size(), 2U);
  for (const char* naming :
       {"specific names", "whenever", "the life of a client", "segment(2) = join_date",
        "the third folder is the reference_id", "segment(1) is when_created", "a map of files"})
    EXPECT_TRUE(read_hint(naming).python_words.empty()) << naming;
  EXPECT_FALSE(read_hint("hello").was_understood);
}

TEST(Templates, OnePathIsEnoughForAKnownLayout) {
  const auto title = [](std::string_view path) {
    const auto match = match_template(path);
    return match ? match->title : std::string();
  };
  EXPECT_EQ(title("/data/mission_042/2024-01-15/readings.csv"), "mission/date");
  EXPECT_EQ(title("/hl7/inbound/2024/01/15/ADT_1.hl7"), "HL7 inbound y/m/d");
  EXPECT_EQ(title("/logs/fix/2024/Q1/session.log"), "FIX logs y/quarter");
  EXPECT_EQ(title("/legal/matters/M-1/custodians/smith/x.msg"), "legal matter/custodian");
  EXPECT_EQ(title("/x/2024-01-15/y.csv"), "generic dated");
  EXPECT_EQ(title("/x/run_12/y.csv"), "generic entity");
  EXPECT_EQ(title("hello"), "");
}

}  // namespace
}  // namespace airlock::rules
