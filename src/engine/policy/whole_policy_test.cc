#include "engine/policy/whole_policy.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace airlock {
namespace {

std::string text_of_file(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string mistakes(std::string_view toml) {
  const Result<Policy> policy = parse_whole_policy(toml, "policies/bad.toml");
  EXPECT_FALSE(policy) << toml;
  return policy ? "" : policy.error().message;
}

void expect_said(const std::string& said, std::initializer_list<std::string_view> parts) {
  for (const std::string_view words : parts) {
    EXPECT_NE(said.find(words), std::string::npos) << "no \"" << words << "\" in: " << said;
  }
}

// A policy that is right; `more` is put behind it.
std::string sound(std::string_view more) {
  return "name = \"bad\"\nsummary = \"For this test\"\n"
         "[limits]\nsource_bytes = 1000\nbracket_depth = 100\ntree_depth = 500\n" +
         std::string(more);
}

TEST(WholePolicy, TheTablesInTheProgramAreWhatTheFilesSay) {
  ASSERT_EQ(builtin_policies().size(), 3u);
  for (const Policy& built_in : builtin_policies()) {
    const std::string file = AIRLOCK_SOURCE_DIR "/policies/" + built_in.name + ".toml";
    const Result<Policy> read = parse_whole_policy(text_of_file(file), file);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_TRUE(*read == built_in) << file << ": build again";
  }
}

TEST(WholePolicy, NamesAreSortedAndGroupsKeepTheFilesOrder) {
  const auto policy =
      parse_whole_policy(sound("[[builtin]]\nnames = [\"len\", \"abs\"]\nwhy = \"w\"\n"
                               "[modules.re]\nwhy = \"w\"\n"
                               "[[modules.re.allow]]\nnames = [\"sub\"]\nwhy = \"1\"\n"
                               "[[modules.re.allow]]\nnames = [\"match\"]\nwhy = \"2\"\n"
                               "[[modules.re.refuse]]\nnames = [\"enum\"]\nwhy = \"m\"\n"
                               "instead = \"import enum\"\n"),
                         "bad.toml");
  ASSERT_TRUE(policy) << policy.error().message;
  EXPECT_EQ(policy->builtins, (std::vector<Permit>{{"abs", "w"}, {"len", "w"}}));
  ASSERT_EQ(policy->modules.size(), 1u);
  EXPECT_EQ(policy->modules[0].attributes, (std::vector<std::string>{"match", "sub"}));
  EXPECT_EQ(policy->modules[0].groups, (std::vector<Group>{{{"sub"}, "1"}, {{"match"}, "2"}}));
  EXPECT_EQ(policy->modules[0].refused, (std::vector<Refusal>{{"enum", "m", "import enum"}}));
  EXPECT_EQ(policy->limits, (VetLimits{1000, 100, 500}));
}

TEST(WholePolicy, AllMistakesAreReportedAtOnceWithTheirPlaces) {
  expect_said(mistakes("name = \"bad\"\n"
                       "summary = \"Bad\"\n"
                       "colour = \"red\"\n"
                       "[limits]\n"
                       "source_bytes = -1\n"
                       "bracket_depth = 100\n"
                       "[modules.re]\n"
                       "why = \"\"\n"
                       "[[modules.re.allow]]\n"
                       "names = [\"compile\", \"compile\", \"not a name\"]\n"
                       "why = \"patterns\"\n"
                       "[[modules.re.refuse]]\n"
                       "names = [\"compile\"]\n"
                       "why = \"no\"\n"
                       "[[builtin]]\n"
                       "names = [\"len\"]\n"),
              {"policies/bad.toml:3:1: unknown key 'colour'", ":5:16: 'source_bytes' must be",
               "'tree_depth' is missing in [limits]", ":8:7: 'why' is empty",
               ":10:21: 'compile' is listed twice", ":10:32: 'not a name' is not a name",
               "'compile' is both allowed and refused", ":15:1: 'why' is missing"});
}

TEST(WholePolicy, ListsThatContradictEachOtherAreMistakes) {
  expect_said(mistakes(sound("[[grant]]\nnames = [\"everything\"]\nwhy = \"w\"\n"
                             "[[class]]\nnames = [\"re.Pattern\"]\nwhy = \"w\"\n"
                             "[[class.allow]]\nnames = [\"sub\"]\nwhy = \"w\"\n"
                             "[packages.os]\nwhy = \"w\"\n"
                             "[[packages.os.allow]]\nnames = [\"path\"]\nwhy = \"w\"\n"
                             "[[builtin]]\nnames = [\"len\"]\nwhy = \"w\"\n"
                             "[[builtin]]\nnames = [\"len\"]\nwhy = \"w\"\n"
                             "[[refused_builtin]]\nnames = [\"len\"]\nwhy = \"w\"\n")),
              {"there is no grant 'everything'; expected any_python",
               "'re.Pattern' is not an allowed attribute of a listed module",
               "no listed module is inside 'os'", "'len' is listed twice",
               "'len' is both allowed and refused"});
  expect_said(mistakes(sound("[[grant]]\nnames = [\"any_python\"]\nwhy = \"w\"\n"
                             "[[builtin]]\nnames = [\"len\"]\nwhy = \"w\"\n")),
              {"'any_python' leaves nothing for the other lists to say"});
}

TEST(WholePolicy, AModuleThatAllowsNothingIsAMistake) {
  expect_said(mistakes(sound("[modules.re]\nwhy = \"w\"\n")), {"nothing is allowed in 're'"});
}

TEST(WholePolicy, AnEntryNamesAtLeastOneThing) {
  expect_said(
      mistakes(sound("[[builtin]]\nwhy = \"w\"\n[[refused_builtin]]\nnames = []\nwhy = \"w\"\n")),
      {":7:1: 'names' must be a list of at least one name",
       ":9:1: 'names' must be a list of at least one name"});
}

TEST(WholePolicy, AFileIsCalledAfterItsPolicy) {
  const auto policy = parse_whole_policy(sound(""), "good.toml");
  ASSERT_FALSE(policy);
  expect_said(policy.error().message, {"'name' is 'bad', and the file is called otherwise"});
}

TEST(WholePolicy, TextThatIsNotTomlIsReportedWithItsPlace) {
  expect_said(mistakes("name = 1 2\n"), {"policies/bad.toml:1:"});
}

}  // namespace
}  // namespace airlock
