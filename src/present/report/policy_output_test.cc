#include "present/report/policy_output.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "base/utf8.h"

namespace airlock::cli {
namespace {

Policy small() {
  Policy policy;
  policy.name = "small";
  policy.summary = "Enough for a test";
  policy.modules.push_back(
      {"json",
       "JSON in paths",
       {"dumps", "loads"},
       {{"dump", "Writes to a file", "json.dumps"}, {"load", "Reads from a file", ""}},
       {{{"dumps", "loads"}, "Text to values and back"}}});
  policy.builtins = {{"abs", "Arithmetic"}, {"len", "Sequences"}, {"pow", "Arithmetic"}};
  policy.refused_builtins = {{"eval", "Runs text", ""}, {"exec", "Runs text", ""}};
  return policy;
}

TEST(PolicyOutput, AListIsAligned) {
  std::vector<Policy> policies(2);
  policies[0].name = "extractor";
  policies[0].summary = "Paths to facts";
  policies[1].name = "node";
  policies[1].summary = "The kernel's walls alone";
  EXPECT_EQ(policy_list_as_text(policies, Colour::kNever),
            "extractor  Paths to facts\n"
            "node       The kernel's walls alone\n");
  EXPECT_EQ(nlohmann::json::parse(policy_list_as_json(policies))[1]["name"], "node");
}

TEST(PolicyOutput, EntriesThatShareAReasonAreShownTogether) {
  EXPECT_EQ(policy_as_text(small(), Colour::kNever),
            "small\n"
            "  Enough for a test\n"
            "  Limits: source of 262144 bytes, 100 brackets deep, tree 500 deep\n"
            "\n"
            "Modules (1)\n"
            "  May be imported; only the attributes named here may be read\n"
            "\n"
            "  json\n"
            "    JSON in paths\n"
            "    allowed  dumps, loads\n"
            "               Text to values and back\n"
            "    refused  dump\n"
            "               Writes to a file\n"
            "               Instead: json.dumps\n"
            "    refused  load\n"
            "               Reads from a file\n"
            "\n"
            "Builtins (3)\n"
            "  May be used by name\n"
            "  abs, pow\n"
            "    Arithmetic\n"
            "  len\n"
            "    Sequences\n"
            "\n"
            "Refused builtins (2)\n"
            "  All that is not listed is refused; these have a reason of their own\n"
            "  eval, exec\n"
            "    Runs text\n");
}

TEST(PolicyOutput, NothingIsWiderThanTheScreenAndEveryReasonIsThere) {
  const Policy& policy = *find_builtin_policy("extractor");
  const std::string text = policy_as_text(policy, Colour::kNever);
  std::istringstream lines(text);
  std::string joined;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(count_code_points(line), 100u) << line;
    EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
    line.erase(0, line.find_first_not_of(' '));
    joined += line + " ";
  }
  for (const Surface& surface : policy.modules) {
    EXPECT_NE(joined.find(surface.why), std::string::npos) << surface.why;
    for (const Group& group : surface.groups) {
      EXPECT_NE(joined.find(group.why), std::string::npos) << group.why;
    }
    for (const Refusal& row : surface.refused) {
      EXPECT_NE(joined.find(row.why), std::string::npos) << row.why;
    }
  }
  for (const Refusal& row : policy.refused_modules) {
    EXPECT_NE(joined.find(row.name), std::string::npos) << row.name;
    EXPECT_NE(joined.find(row.why), std::string::npos) << row.why;
    EXPECT_NE(joined.find(row.instead), std::string::npos) << row.instead;
  }
}

TEST(PolicyOutput, GuardedClassesThatDifferInNothingAreShownOnce) {
  const std::string text = policy_as_text(*find_builtin_policy("extractor"), Colour::kNever);
  EXPECT_NE(text.find("\n  pathlib.Path, pathlib.PosixPath, pathlib.WindowsPath\n"),
            std::string::npos);
}

TEST(PolicyOutput, ASurfaceWithoutGroupsShowsItsAttributes) {
  Policy policy = small();
  policy.modules[0].groups.clear();
  EXPECT_NE(policy_as_text(policy, Colour::kNever).find("    allowed  dumps, loads\n"),
            std::string::npos);
}

TEST(PolicyOutput, ColourIsOnlyThereWhenAsked) {
  EXPECT_EQ(policy_as_text(small(), Colour::kNever).find('\x1b'), std::string::npos);
  EXPECT_NE(policy_as_text(small(), Colour::kAlways).find('\x1b'), std::string::npos);
}

TEST(PolicyOutput, ForeignTextCannotCommandTheTerminal) {
  Policy policy = small();
  policy.summary = "a\x1b[2Jb";
  policy.modules[0].why = "c\x1b]0;d";
  EXPECT_EQ(policy_as_text(policy, Colour::kNever).find('\x1b'), std::string::npos);
  EXPECT_EQ(policy_list_as_text({&policy, 1}, Colour::kNever).find('\x1b'), std::string::npos);
}

TEST(PolicyOutput, JsonHasTheFieldsOfThePolicy) {
  const nlohmann::json json = nlohmann::json::parse(policy_as_json(small()));
  EXPECT_EQ(json["name"], "small");
  EXPECT_EQ(json["limits"]["tree_depth"], 500);
  EXPECT_EQ(json["modules"][0]["attributes"], nlohmann::json({"dumps", "loads"}));
  EXPECT_EQ(json["modules"][0]["groups"][0]["why"], "Text to values and back");
  EXPECT_EQ(json["modules"][0]["refused"][0]["instead"], "json.dumps");
  EXPECT_TRUE(json["modules"][0]["refused"][1]["instead"].is_null());
  EXPECT_EQ(json["builtins"].size(), 3u);
  EXPECT_TRUE(json["file_operations"].empty());
}

}  // namespace
}  // namespace airlock::cli
