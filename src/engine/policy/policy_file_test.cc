#include "engine/policy/policy_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "engine/policy/library_names.h"
#include "engine/policy/never_allowed.h"

namespace airlock {
namespace {

Policy parsed(std::string_view toml) {
  Result<Policy> policy = parse_policy(toml, "p.toml");
  EXPECT_TRUE(policy) << (policy ? "" : policy.error().message);
  return policy ? *policy : Policy();
}

std::string mistakes(std::string_view toml) {
  const Result<Policy> policy = parse_policy(toml, "p.toml");
  EXPECT_FALSE(policy) << toml;
  return policy ? "" : policy.error().message;
}

template <typename Row>
const Row* find(const std::vector<Row>& rows, std::string_view name) {
  const auto found = std::ranges::find(rows, name, &Row::name);
  return found == rows.end() ? nullptr : &*found;
}

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

testing::AssertionResult says(const std::string& text, std::string_view words) {
  if (text.find(words) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "no \"" << words << "\" in: " << text;
}

TEST(PolicyFile, ABuiltInPolicyIsFoundByItsName) {
  const Result<Policy> policy = load_policy("extractor");
  ASSERT_TRUE(policy);
  EXPECT_EQ(policy->name, "extractor");
}

TEST(PolicyFile, AnUnknownNameIsAnsweredWithTheNamesThereAre) {
  const Result<Policy> policy = load_policy("extrator");
  ASSERT_FALSE(policy);
  EXPECT_EQ(policy.error().message.find("there is no policy 'extrator'; did you mean 'extractor'?"),
            0u);
  EXPECT_TRUE(says(policy.error().message, "built in: extractor"));
}

TEST(PolicyFile, AFileThatOnlyExtendsIsTheBaseUnderItsOwnName) {
  const Policy policy = parsed("extends = \"extractor\"\n");
  const Policy& base = *find_builtin_policy("extractor");
  EXPECT_EQ(policy.name, "p");
  EXPECT_EQ(policy.summary, "extractor, with the changes in p.toml");
  EXPECT_EQ(policy.modules.size(), base.modules.size());
  EXPECT_EQ(policy.builtins.size(), base.builtins.size());
}

TEST(PolicyFile, AModuleIsAddedWithItsReasonAndNoLongerRefused) {
  const Policy policy = parsed(
      "extends = \"extractor\"\nname = \"tables\"\nsummary = \"Tables\"\n"
      "[modules.csv]\nwhy = \"names with commas\"\nattributes = [\"reader\", \"DictReader\"]\n");
  const Surface* csv = find(policy.modules, "csv");
  ASSERT_NE(csv, nullptr);
  EXPECT_EQ(csv->why, "names with commas");
  EXPECT_EQ(csv->attributes, (std::vector<std::string>{"DictReader", "reader"}));
  EXPECT_EQ(find(policy.refused_modules, "csv"), nullptr);
  EXPECT_TRUE(std::ranges::is_sorted(policy.modules, {}, &Surface::name));
  EXPECT_EQ(policy.name, "tables");
  EXPECT_EQ(policy.summary, "Tables");
}

TEST(PolicyFile, AListedModuleGetsFurtherAttributes) {
  const Policy policy = parsed(
      "extends = \"extractor\"\n[modules.re]\nwhy = \"tokens\"\nattributes = [\"Scanner\"]\n");
  const Surface* re = find(policy.modules, "re");
  ASSERT_NE(re, nullptr);
  EXPECT_TRUE(has(re->attributes, "Scanner") && has(re->attributes, "compile"));
  EXPECT_TRUE(std::ranges::is_sorted(re->attributes));
  EXPECT_EQ(find(re->refused, "Scanner"), nullptr);
  EXPECT_EQ(re->groups.back().why, "tokens");
}

TEST(PolicyFile, ADottedModuleCanBeReachedThroughItsPackage) {
  for (const std::string_view header : {"[modules.xml.etree]", "[modules.\"xml.etree\"]"}) {
    const Policy policy = parsed("extends = \"extractor\"\n" + std::string(header) +
                                 "\nwhy = \"svg names\"\nattributes = [\"ElementTree\"]\n");
    ASSERT_NE(find(policy.modules, "xml.etree"), nullptr);
    EXPECT_EQ(find(policy.modules, "xml"), nullptr);
    ASSERT_NE(find(policy.packages, "xml"), nullptr);
    EXPECT_EQ(find(policy.packages, "xml")->attributes, std::vector<std::string>{"etree"});
  }
}

TEST(PolicyFile, AStarKeepsTheModulesInsideShut) {
  const Policy policy =
      parsed("extends = \"extractor\"\n[modules.csv]\nwhy = \"all of it\"\nattributes = [\"*\"]\n");
  const Surface* csv = find(policy.modules, "csv");
  ASSERT_NE(csv, nullptr);
  EXPECT_EQ(csv->attributes, std::vector<std::string>{"*"});
  EXPECT_NE(find(csv->refused, "re"), nullptr);
  EXPECT_NE(find(csv->refused, "io"), nullptr);
  EXPECT_TRUE(std::ranges::is_sorted(csv->refused, {}, &Refusal::name));
}

TEST(PolicyFile, AStarOnAModuleThatHasTheNameOfItsFunctionKeepsTheFunction) {
  const Policy policy =
      parsed("extends = \"extractor\"\n[modules.copy]\nwhy = \"copies\"\nattributes = [\"*\"]\n");
  EXPECT_EQ(find(find(policy.modules, "copy")->refused, "copy"), nullptr);
}

TEST(PolicyFile, ABuiltinIsAddedWithItsReason) {
  const Policy policy = parsed("extends = \"extractor\"\n[builtins.id]\nwhy = \"cycles\"\n");
  ASSERT_NE(find(policy.builtins, "id"), nullptr);
  EXPECT_EQ(find(policy.builtins, "id")->why, "cycles");
  EXPECT_EQ(find(policy.refused_builtins, "id"), nullptr);
  EXPECT_TRUE(std::ranges::is_sorted(policy.builtins, {}, &Permit::name));
}

TEST(PolicyFile, ModulesAndBuiltinsAreTakenAway) {
  const Policy policy = parsed(
      "extends = \"extractor\"\nname = \"strict\"\n"
      "remove_modules = [\"os.path\", \"uuid\"]\nremove_builtins = [\"print\"]\n");
  EXPECT_EQ(find(policy.modules, "uuid"), nullptr);
  EXPECT_EQ(find(policy.modules, "os.path"), nullptr);
  EXPECT_EQ(find(policy.packages, "os"), nullptr);
  EXPECT_NE(find(policy.packages, "urllib"), nullptr);
  ASSERT_NE(find(policy.refused_modules, "uuid"), nullptr);
  EXPECT_EQ(find(policy.refused_modules, "uuid")->why, "Not allowed by the policy 'strict'");
  EXPECT_EQ(find(policy.builtins, "print"), nullptr);
  EXPECT_NE(find(policy.refused_builtins, "print"), nullptr);
}

TEST(PolicyFile, ASubmoduleIsTakenAwayFromTheModuleThatHoldsIt) {
  const Policy policy = parsed("extends = \"extractor\"\nremove_modules = [\"collections.abc\"]\n");
  ASSERT_NE(find(policy.modules, "collections"), nullptr);
  EXPECT_FALSE(has(find(policy.modules, "collections")->attributes, "abc"));
}

TEST(PolicyFile, LimitsAreRead) {
  const Policy policy = parsed("extends = \"extractor\"\n[limits]\nsource_bytes = 1000\n");
  EXPECT_EQ(policy.limits.source_bytes, 1000u);
  EXPECT_EQ(policy.limits.tree_depth, 500u);
}

TEST(PolicyFile, EveryMistakeIsReportedAtOnceWithItsPlace) {
  const std::string said = mistakes(
      "extends = \"extractor\"\n"
      "sumary = \"x\"\n"
      "remove_modules = [\"pathlibb\", 3]\n"
      "[modules.csv]\n"
      "attributes = [\"reader\"]\n"
      "[modules.glob]\n"
      "why = \"\"\n"
      "attributes = [\"glob\", \"_private\", \"os\"]\n"
      "[modules.sys]\n"
      "why = \"please\"\n"
      "attributes = [\"*\"]\n"
      "[builtins.eval]\n"
      "why = \"please\"\n"
      "[builtins.lenn]\n"
      "why = \"length\"\n"
      "[limits]\n"
      "tree_depth = -5\n"
      "colour = 1\n");
  EXPECT_EQ(said.find("p.toml: 12 mistakes in this policy\n"), 0u) << said;
  for (const std::string_view words : {
           "p.toml:2:1: unknown key 'sumary'; did you mean 'summary'?",
           "p.toml:3:19: 'pathlibb' is not on the list of 'extractor'; did you mean 'pathlib'?",
           "p.toml:3:31: 'remove_modules' must hold names in quotes",
           "p.toml:4:10: 'why' is missing: every entry has its reason",
           "p.toml:7:7: 'why' is empty",
           "p.toml:8:23: '_private' is private",
           "p.toml:8:35: 'glob.os' is the module os inside glob",
           "p.toml:9:10: 'sys' can never be allowed",
           "p.toml:12:11: 'eval' can never be allowed: it runs text as code",
           "p.toml:14:11: there is no builtin 'lenn'; did you mean 'len'?",
           "p.toml:17:14: 'tree_depth' must be a whole number from 1 to 1000",
           "p.toml:18:1: unknown key 'colour' in [limits]; expected source_bytes",
       }) {
    EXPECT_TRUE(says(said, words));
  }
}

TEST(PolicyFile, OneMistakeIsOneLine) {
  EXPECT_EQ(mistakes("extends = \"extractor\"\nnaem = \"x\"\n"),
            "p.toml:2:1: unknown key 'naem'; did you mean 'name'?");
}

TEST(PolicyFile, TheBaseMustBeNamedAndKnown) {
  EXPECT_TRUE(says(mistakes("name = \"x\"\n"),
                   "'extends' is missing: name the built-in policy to start from (extractor"));
  EXPECT_TRUE(says(mistakes("extends = \"extracter\"\n"),
                   "p.toml:1:11: there is no built-in policy 'extracter'; did you mean"));
  EXPECT_TRUE(says(mistakes("extends = 3\n"), "'extends' must be text"));
}

TEST(PolicyFile, ANameOfABuiltInPolicyIsTaken) {
  EXPECT_TRUE(says(mistakes("extends = \"extractor\"\nname = \"extractor\"\n"),
                   "p.toml:2:8: 'extractor' is a built-in policy"));
}

TEST(PolicyFile, WhatMakesTheScanPointlessIsNeverAllowed) {
  for (const std::string_view module :
       {"os", "sys", "builtins", "importlib", "\"importlib.util\"", "ctypes", "subprocess",
        "pickle", "inspect", "types", "io", "\"os.anything\""}) {
    const std::string said = mistakes("extends = \"extractor\"\n[modules." + std::string(module) +
                                      "]\nwhy = \"please\"\nattributes = [\"*\"]\n");
    EXPECT_TRUE(says(said, "can never be allowed"));
  }
  for (const std::string_view builtin :
       {"exec", "eval", "compile", "__import__", "open", "globals", "vars", "__builtins__",
        "__loader__", "__anything__", "unicode"}) {
    const std::string said = mistakes("extends = \"extractor\"\n[builtins." + std::string(builtin) +
                                      "]\nwhy = \"please\"\n");
    EXPECT_TRUE(says(said, "can never be allowed"));
  }
  EXPECT_TRUE(
      says(mistakes("extends = \"extractor\"\n[modules.operator]\nwhy = \"x\"\nattributes = "
                    "[\"attrgetter\"]\n"),
           "'operator.attrgetter' can never be allowed: it reads attributes by computed names"));
  const Policy star =
      parsed("extends = \"extractor\"\n[modules.operator]\nwhy = \"x\"\nattributes = [\"*\"]\n");
  EXPECT_NE(find(find(star.modules, "operator")->refused, "attrgetter"), nullptr);
}

TEST(PolicyFile, EveryBuiltinThatCanNeverBeAllowedIsRefusedByTheBase) {
  const Policy& base = *find_builtin_policy("extractor");
  for (const Permit& row : base.builtins) EXPECT_EQ(never_builtin(row.name), nullptr) << row.name;
  for (const Surface& row : base.modules) EXPECT_EQ(never_module(row.name), nullptr) << row.name;
  for (const Surface& row : base.modules) {
    for (const std::string& name : row.attributes) {
      EXPECT_FALSE(is_module_inside(row.name, name)) << row.name << '.' << name;
      EXPECT_EQ(never_attribute(row.name, name), nullptr) << row.name << '.' << name;
    }
  }
}

TEST(PolicyFile, AMisspeltModuleIsFoundInItsPlace) {
  const std::string base = "extends = \"extractor\"\n";
  const std::string rest = "\nwhy = \"x\"\nattributes = [\"*\"]\n";
  EXPECT_EQ(mistakes(base + "[modules.daetime]" + rest)
                .find("p.toml:2:10: there is no module 'daetime' in Python 3."),
            0u);
  EXPECT_TRUE(says(mistakes(base + "[modules.daetime]" + rest), "; did you mean 'datetime'?"));
  EXPECT_TRUE(says(mistakes(base + "[modules.xml.etre]" + rest), "; did you mean 'xml.etree'?"));
  EXPECT_TRUE(says(mistakes(base + "[modules.zzz_no_such]" + rest), "no module 'zzz_no_such'"));
  EXPECT_TRUE(says(mistakes(base + "[modules.numpy]" + rest), "no module 'numpy' in Python"));
}

TEST(PolicyFile, AMisspeltAttributeIsFoundInItsPlace) {
  EXPECT_EQ(mistakes("extends = \"extractor\"\n[modules.csv]\nwhy = \"x\"\n"
                     "attributes = [\"reader\", \"raeder\"]\n"),
            "p.toml:4:25: the module csv has no 'raeder'; did you mean 'reader'?");
  EXPECT_EQ(mistakes("extends = \"extractor\"\n[modules.datetime]\nwhy = \"x\"\n"
                     "attributes = [\"datetme\"]\n"),
            "p.toml:4:15: the module datetime has no 'datetme'; did you mean 'datetime'?");
}

TEST(PolicyFile, AModuleThatNeedsTheHostsLibrariesIsLeftToLoading) {
  const Policy policy = parsed(
      "extends = \"extractor\"\n[modules.sqlite3]\nwhy = \"x\"\nattributes = [\"connect\"]\n");
  EXPECT_FALSE(is_sure_to_load(policy));
  EXPECT_TRUE(is_sure_to_load(*find_builtin_policy("extractor")));
}

TEST(PolicyFile, PackagesAreImportedWhereEveryImportIsAllowed) {
  const Policy policy = parsed("extends = \"node\"\npackages = [\"numpy\", \"os.path\"]\n");
  EXPECT_EQ(policy.preloaded, (std::vector<std::string>{"numpy", "os.path"}));
  EXPECT_FALSE(is_sure_to_load(policy));
  EXPECT_TRUE(parsed("extends = \"node\"\n").preloaded.empty());
}

TEST(PolicyFile, PackagesThatCannotBeAreMistakes) {
  EXPECT_TRUE(
      says(mistakes("extends = \"extractor\"\npackages = [\"numpy\"]\n"),
           "p.toml:2:12: 'packages' has no meaning here: 'extractor' allows what is listed"));
  for (const char* name : {"a-b", "", "a..b", "a b", kSessionRuntime.data(), kNodeRuntime.data()}) {
    EXPECT_TRUE(says(mistakes("extends = \"node\"\npackages = [\"" + std::string(name) + "\"]\n"),
                     "is not the name of a package"))
        << name;
  }
  EXPECT_TRUE(says(mistakes("extends = \"node\"\npackages = [\"a\", \"a\"]\n"), "twice"));
  EXPECT_TRUE(says(mistakes("extends = \"node\"\npackages = \"numpy\"\n"), "must be a list"));
}

TEST(PolicyFile, WrongShapesAreExplained) {
  const std::string base = "extends = \"extractor\"\n";
  EXPECT_TRUE(says(mistakes(base + "modules = 3\n"), "must be written as [modules.NAME]"));
  EXPECT_TRUE(says(mistakes(base + "[modules]\ncsv = \"yes\"\n"), "write [modules.csv] with why"));
  EXPECT_TRUE(says(mistakes(base + "[builtins]\nid = true\n"), "write [builtins.id] with why"));
  EXPECT_TRUE(says(mistakes(base + "limits = []\n"), "must be written as [limits]"));
  EXPECT_TRUE(says(mistakes(base + "remove_modules = \"re\"\n"), "must be a list of names"));
  EXPECT_TRUE(says(mistakes(base + "[modules.csv]\nwhy = \"x\"\n"),
                   "'attributes' is missing in [modules.csv]"));
  EXPECT_TRUE(says(mistakes(base + "[modules.csv]\nwhy = \"x\"\nattributes = \"reader\"\n"),
                   "must be a list of names"));
  EXPECT_TRUE(
      says(mistakes(base + "[modules.csv]\nwhy = \"x\"\nattributes = [\"*\", \"reader\"]\n"),
           "stands alone"));
  EXPECT_TRUE(says(mistakes(base + "[modules.csv]\nwhy = \"x\"\nattributes = [\"a\", \"a\"]\n"),
                   "listed twice"));
  EXPECT_TRUE(says(mistakes(base + "[modules.csv]\nwyh = \"x\"\nattributes = [\"a\"]\n"),
                   "did you mean 'why'?"));
  EXPECT_TRUE(says(mistakes(base + "[modules.\"c-v\"]\nwhy = \"x\"\nattributes = [\"a\"]\n"),
                   "'c-v' is not the name of a module"));
  EXPECT_TRUE(says(
      mistakes(
          base +
          "remove_modules = [\"re\"]\n[modules.re]\nwhy = \"x\"\nattributes = [\"compile\"]\n"),
      "'re' is removed and added in the same file"));
  EXPECT_TRUE(says(mistakes(base + "[limits]\nsource_bytes = 99999999\n"), "from 1 to 4194304"));
  EXPECT_TRUE(says(mistakes(base + "[limits]\nsource_bytes = \"big\"\n"), "whole number"));
}

TEST(PolicyFile, ControlCharactersNeitherPassNorReachTheTerminal) {
  const std::string said =
      mistakes("extends = \"extractor\"\nsummary = \"a\\u001b[31m\"\n\"\\u001b[2J\" = 1\n");
  EXPECT_TRUE(says(said, "'summary' must be one line"));
  EXPECT_EQ(said.find('\x1b'), std::string::npos);
}

TEST(PolicyFile, TextThatIsNotTomlIsReportedWithItsPlace) {
  EXPECT_EQ(mistakes("extends = \"extractor\"\n[modules\n").find("p.toml:2:"), 0u);
  EXPECT_EQ(mistakes("\xff\xfe").find("p.toml:"), 0u);
}

TEST(PolicyFile, HugeAndDeepFilesAreRefusedBeforeTheyAreParsed) {
  EXPECT_TRUE(says(mistakes(std::string(1024 * 1024 + 1, '#')), "larger than 1 MiB"));
  std::string deep = "a";
  for (int i = 0; i < 400000; ++i) deep += ".a";
  EXPECT_TRUE(says(mistakes(deep + " = 1\n"), "dots in keys"));
  std::string dotted_text = "extends = \"extractor\" # ";
  dotted_text += std::string(10000, '.') + "\nsummary = \"\"\"";
  dotted_text += std::string(10000, '.') + "\"\"\"\n";
  EXPECT_TRUE(says(mistakes(dotted_text), "'summary' must be one line of at most 500 bytes"));
  std::string hidden = "s = \"\\\"\"\n't'.a";
  for (int i = 0; i < 10000; ++i) hidden += ".'a'";
  EXPECT_TRUE(says(mistakes(hidden + " = 1\n"), "dots in keys"));
}

TEST(PolicyFile, AFloodOfMistakesIsCutShort) {
  std::string toml = "extends = \"extractor\"\n";
  for (int i = 0; i < 500; ++i) toml += "key" + std::to_string(i) + " = 1\n";
  const std::string said = mistakes(toml);
  EXPECT_TRUE(says(said, "p.toml: 500 mistakes"));
  EXPECT_TRUE(says(said, "… and 450 more"));
}

class PolicyOnDisk : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "airlock-policy-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, std::string_view text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  std::string refusal(const std::string& path) {
    const Result<Policy> policy = load_policy(path);
    EXPECT_FALSE(policy);
    return policy ? "" : policy.error().message;
  }

  std::filesystem::path folder_;
};

TEST_F(PolicyOnDisk, AFileIsLoadedAndNamedAfterItself) {
  const Result<Policy> policy = load_policy(write("mine.toml", "extends = \"extractor\"\n"));
  ASSERT_TRUE(policy);
  EXPECT_EQ(policy->name, "mine");
}

TEST_F(PolicyOnDisk, WhatCannotBeReadIsSaidInWords) {
  EXPECT_TRUE(says(refusal((folder_ / "none.toml").string()), "No such file or directory"));
  EXPECT_TRUE(says(refusal(folder_.string() + "/"), "it is a folder, not a file"));
  const std::string pipe = (folder_ / "pipe.toml").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_TRUE(says(refusal(pipe), "it is not an ordinary file"));
  EXPECT_TRUE(says(refusal(write("big.toml", std::string(1024 * 1024 + 1, '#'))),
                   "it is larger than 1 MiB"));
}

}  // namespace
}  // namespace airlock
