// Folders of users and machines in every dress: each folder of the table, in each way of writing
// it, with anything around it. What is left never names anybody, and what follows the folder stays.
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "admit/paths.h"

namespace airlock {
namespace {

std::string scrubbed(const std::string& text, const std::vector<std::string>& roots = {}) {
  return PathScrubber(roots).relative(text).value_or(text);
}

// Folders that name somebody; the name is `ann` wherever there is one.
const std::vector<std::string> kFolders = {
    "/home/ann",  "/Users/ann",       "/var/home/ann",         "/export/home/ann",
    "/media/ann", "/mnt/c/Users/ann", "/cygdrive/c/Users/ann", "/run/user/1000",
    "/root"};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// Ways to write one path.
const std::vector<std::pair<const char*, std::function<std::string(std::string)>>> kDresses = {
    {"plain", [](std::string path) { return path; }},
    {"doubled", [](std::string path) { return replaced(path, "/", "//"); }},
    {"tripled", [](std::string path) { return replaced(path, "/", "///"); }},
    {"percent", [](std::string path) { return replaced(path, "/", "%2F"); }},
    {"small percent", [](std::string path) { return replaced(path, "/", "%2f"); }},
    {"percent of percent", [](std::string path) { return replaced(path, "/", "%252F"); }},
    {"thrice", [](std::string path) { return replaced(path, "/", "%25252F"); }},
    {"url", [](std::string path) { return "file://" + path; }},
    {"url with a host", [](std::string path) { return "file://localhost" + path; }},
    {"parent folders", [](std::string path) { return "../.." + path; }},
};

const std::vector<std::pair<std::string, std::string>> kSurroundings = {
    {"", ""},   {"see ", " there"}, {"\"", "\""},   {"'", "'"},  {"(", ")"},
    {"=", ";"}, {"\n", "\n"},       {"\t", ", x"},  {"a: ", ""}, {"<", ">"},
    {"[", "]"}, {"`", "`"},         {"x=", "&y=1"}, {"|", "|"}};

TEST(DisguisedPaths, NoNameIsLeftInAnyDressAndSurrounding) {
  for (const std::string& folder : kFolders) {
    for (const auto& [dress, put_on] : kDresses) {
      for (const auto& [before, after] : kSurroundings) {
        const std::string text = before + put_on(folder + "/code/x.py") + after;
        const std::string left = scrubbed(text);
        EXPECT_EQ(left.find("ann"), std::string::npos) << dress << ": " << text << " → " << left;
        EXPECT_NE(left.find("x.py"), std::string::npos) << dress << ": " << text << " → " << left;
      }
    }
  }
}

TEST(DisguisedPaths, ScrubbingTwiceChangesNothing) {
  for (const std::string& folder : kFolders) {
    for (const auto& [dress, put_on] : kDresses) {
      const std::string once = scrubbed(put_on(folder + "/code/x.py"));
      EXPECT_EQ(scrubbed(once), once) << dress << " " << folder;
    }
  }
}

TEST(DisguisedPaths, SeveralInOneTextAllGo) {
  for (const std::string& first : kFolders) {
    for (const std::string& second : kFolders) {
      const std::string left = scrubbed(first + "/a.c:3: included from " + second + "/b.c");
      EXPECT_EQ(left.find("ann"), std::string::npos) << left;
      EXPECT_NE(left.find("included from"), std::string::npos) << left;
    }
  }
}

TEST(DisguisedPaths, TheRootOfTheRepositoryGoesInEveryDress) {
  for (const char* root : {"/srv/ci/repo", "/opt/x", "/a/b/c/d/e"}) {
    for (const auto& [dress, put_on] : kDresses) {
      const std::string text = put_on(std::string(root) + "/src/x.c");
      const std::string left = scrubbed(text, {root});
      EXPECT_EQ(left.find(root), std::string::npos) << dress << ": " << left;
      EXPECT_NE(left.find("x.c"), std::string::npos) << dress << ": " << left;
    }
  }
}

TEST(DisguisedPaths, AFolderThatOnlyBeginsLikeTheRootIsAnother) {
  for (const char* other : {"/srv/repo2/x.c", "/srv/repository/x.c", "/srv/repo-old/x.c"})
    EXPECT_EQ(scrubbed(other, {"/srv/repo"}), other);
}

TEST(DisguisedPaths, WindowsProfilesGoWithEitherSlashAndDrive) {
  for (const char drive : {'C', 'c', 'D', 'z'}) {
    for (const char* slash : {"\\", "/", "\\\\", "%5C", "%2F"}) {
      std::string text = std::string(1, drive) + ":";
      for (const char* name : {"Users", "ann", "code", "x.py"}) text += slash + std::string(name);
      const std::string left = scrubbed(text);
      EXPECT_EQ(left.find("ann"), std::string::npos) << text << " → " << left;
      EXPECT_NE(left.find("x.py"), std::string::npos) << text << " → " << left;
    }
  }
}

TEST(DisguisedPaths, WordsThatOnlyContainAFolderStay) {
  for (const char* text :
       {"at/home/ann", "my/Users/x", "a/tmp/b", "homepage", "/homer/ann/x", "/Usersguide/a",
        "https://a.b/Users/ann/x", "ssh://h/home/ann/x", "x/home", "/home?ann=1"})
    EXPECT_EQ(scrubbed(text), text);
}

TEST(DisguisedPaths, PercentSignsThatEncodeNothingStay) {
  for (const char* text : {"%", "%%", "%2", "%2G", "100%", "%zz/home", "a%20b", "%25", "%2525"})
    EXPECT_EQ(scrubbed(text), text);
}

TEST(DisguisedPaths, BytesOfAnyKindAreTakenAndComeToRest) {
  std::mt19937 random(8);  // the same texts every time
  const std::vector<std::string> pieces = {
      "/",     "\\", "home", "Users",  "ann",   "tmp",  "C:", "%2F",  "%252F", "%5C",
      "file:", "..", ".",    " ",      "\"",    "\xFF", "\n", "root", "mnt",   "x",
      "$",     "//", "\\\\", "server", "share", "%",    "25", "2F"};
  const PathScrubber scrubber({"/srv/r"});
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (auto count = random() % 12; count > 0; --count) text += pieces[random() % pieces.size()];
    std::string last = text;
    int rounds = 0;
    for (auto next = scrubber.relative(last); next && rounds < 50; ++rounds) {
      ASSERT_LE(next->size(), last.size() + 1) << "it must not grow: " << text;
      last = *next;
      next = scrubber.relative(last);
    }
    ASSERT_LT(rounds, 50) << text;
  }
}

TEST(DisguisedPaths, LongTextsAndLongRowsOfSlashesTakeLinearTime) {
  const std::string slashes(200'000, '/');
  EXPECT_LE(scrubbed(slashes + "home/ann/x").size(), slashes.size() + 20);
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += "/home/ann/x ";
  const std::string left = scrubbed(many);
  EXPECT_EQ(left.find("ann"), std::string::npos);
  std::string encoded;
  for (int i = 0; i < 50'000; ++i) encoded += "%25";
  EXPECT_EQ(scrubbed(encoded), encoded);
}

TEST(DisguisedPaths, EmptyTextsAndRootsAreNothing) {
  EXPECT_FALSE(PathScrubber({}).relative(""));
  EXPECT_FALSE(PathScrubber({"", "/", "C:\\"}).relative("/etc/hosts"));
  EXPECT_FALSE(PathScrubber({"relative/root"}).relative("relative/root2/x"));
}

}  // namespace
}  // namespace airlock
