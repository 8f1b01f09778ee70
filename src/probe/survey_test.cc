#include "probe/survey.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "probe/declared_inputs.h"
#include "probe/ignore_rules.h"
#include "probe/languages.h"
#include "support/folder_test.h"

namespace airlock::probe {
namespace {

namespace fs = std::filesystem;

class ARepository : public airlock::test::FolderTest {
 protected:
  Result<std::string> hash_inputs(const std::vector<std::string>& patterns) {
    const Fd folder = root();
    const Survey seen = survey(folder, {Ignored::kShow}).value();
    auto hash = InputHasher(folder, seen.files, {Ignored::kShow})
                    .hash(patterns, std::chrono::steady_clock::time_point::max());
    if (!hash) return std::unexpected(hash.error());
    return hash->sha256;
  }
  Fd root() { return open_folder(folder_.string()).value(); }
  std::vector<std::string> files() {
    std::vector<std::string> seen;
    walk_tree(root(), {}, [&](const FileSeen& file) {
      seen.emplace_back(file.path);
      return true;
    }).value();
    return seen;
  }
};

using Names = std::vector<std::string>;

TEST_F(ARepository, IsWalkedInOrderWithoutLinksAndGit) {
  write("b.py", "x");
  write("a/z.py", "x");
  write("a/b/c.md", "x");
  write(".git/config", "x");
  fs::create_symlink("/", folder_ / "everything");
  fs::create_directory_symlink(folder_, folder_ / "loop");
  EXPECT_EQ(files(), (Names{"a/b/c.md", "a/z.py", "b.py", "everything", "loop"}));
}

TEST_F(ARepository, LeavesOutWhatGitLeavesOut) {
  write(".gitignore", "*.log\n/build/\nnode_modules\n!keep.log\n# no\ndocs/*.tmp\n");
  write("a.log", "");
  write("keep.log", "");
  write("build/x.c", "");
  write("src/build/x.c", "");
  write("src/node_modules/y.js", "");
  write("docs/a.tmp", "");
  write("src/docs/a.tmp", "");
  write("src/.gitignore", "!a.log\n*.gen\n");
  write("src/a.log", "");
  write("src/x.gen", "");
  EXPECT_EQ(files(), (Names{".gitignore", "keep.log", "src/.gitignore", "src/a.log",
                            "src/build/x.c", "src/docs/a.tmp"}));
}

TEST_F(ARepository, CountsLanguagesAndFindsManifests) {
  write("a.py", "12345");
  write("b/c.py", "123");
  write("Makefile", "1");
  write("package.json", "{}");
  write("picture.png", "zzzz");
  const Survey seen = survey(root(), {}).value();
  EXPECT_EQ(seen.languages.at("Python").files, 2U);
  EXPECT_EQ(seen.languages.at("Python").bytes, 8U);
  EXPECT_EQ(seen.languages.count("Makefile"), 1U);
  EXPECT_EQ(seen.manifests, (Names{"Makefile", "package.json"}));
  EXPECT_EQ(seen.walk.files, 5U);
  EXPECT_NE(language_slice(seen).find(R"("main_language":"Python")"), std::string::npos);
  EXPECT_NE(repository_slice(seen).find(R"("git_commit":null)"), std::string::npos);
}

TEST_F(ARepository, KnowsItsCommit) {
  const std::string hash(40, 'a');
  write(".git/HEAD", "ref: refs/heads/main\n");
  write(".git/refs/heads/main", hash + "\n");
  EXPECT_EQ(survey(root(), {})->commit, hash);
  fs::remove(folder_ / ".git/refs/heads/main");
  EXPECT_EQ(survey(root(), {})->commit, std::nullopt);
  write(".git/packed-refs", "# pack-refs\n" + std::string(40, 'b') + " refs/heads/main\n");
  EXPECT_EQ(survey(root(), {})->commit, std::string(40, 'b'));
  write(".git/HEAD", "ref: refs/../../../etc/passwd\n");
  EXPECT_EQ(survey(root(), {})->commit, std::nullopt);
  write(".git/HEAD", hash);
  EXPECT_EQ(survey(root(), {})->commit, hash);
}

TEST_F(ARepository, UnreadableFoldersAndOddNamesAreCounted) {
  write("open/a.py", "x");
  write("shut/a.py", "x");
  write("odd/\xFF.py", "x");
  ::chmod((folder_ / "shut").c_str(), 0);
  const Survey seen = survey(root(), {}).value();
  ::chmod((folder_ / "shut").c_str(), 0700);
  EXPECT_EQ(seen.walk.unreadable, ::geteuid() == 0 ? 0U : 1U);
  EXPECT_GE(seen.languages.at("Python").files, 2U);
}

TEST_F(ARepository, InputsChangeTheirHashAndOthersDoNot) {
  write("src/a.py", "one");
  write("notes.txt", "one");
  const auto hash = [&] { return hash_inputs({"**/*.py"}).value(); };
  const std::string before = hash();
  write("notes.txt", "two");
  EXPECT_EQ(hash(), before);
  write("src/a.py", "two");
  EXPECT_NE(hash(), before);
  write("src/a.py", "one");
  EXPECT_EQ(hash(), before);
  fs::rename(folder_ / "src/a.py", folder_ / "src/b.py");
  EXPECT_NE(hash(), before);
  EXPECT_FALSE(hash_inputs({"[a"}));
}

TEST(Languages, GoByNameAndEnding) {
  EXPECT_EQ(language_of("a.py"), "Python");
  EXPECT_EQ(language_of("CMakeLists.txt"), "CMake");
  EXPECT_EQ(language_of("a.unknown"), "");
  EXPECT_EQ(language_of(".py"), "");
  EXPECT_EQ(language_of(""), "");
}

TEST_F(ARepository, WhatGitLeavesOutCanStillBeDeclared) {
  write(".gitignore", "out/\n");
  write("a.py", "x");
  write("out/deep/report.json", "1");
  const std::string before = hash_inputs({"out/**"}).value();
  write("out/deep/report.json", "2");
  EXPECT_NE(hash_inputs({"out/**"}).value(), before);
  const Survey seen = survey(root(), {Ignored::kShow}).value();
  EXPECT_EQ(seen.walk.files, 2U);  // .gitignore and a.py
  EXPECT_EQ(seen.files.size(), 3U);
}

// ── What a stranger's patterns and ignore files may cost ─────────────────────────────────────

TEST_F(ARepository, SaysThatAnIgnoreFileIsTooLong) {
  write(".gitignore", std::string(kLargestIgnoreFile / 4, 'x') + "\n*.log\n" +
                          std::string(kLargestIgnoreFile, 'y') + "\n*.tmp\n");
  write("a.log", "");
  write("b.tmp", "");
  const Survey seen = survey(root(), {}).value();
  EXPECT_EQ(seen.walk.first_cut_ignore_file, ".gitignore");
  EXPECT_EQ(seen.walk.ignore_lines_left_out, 2u);  // the long line, and what was not read
  EXPECT_EQ(seen.walk.files, 2u);                  // a.log is ignored, b.tmp is not
  const SurveyDoubts doubts = doubts_about(seen);
  EXPECT_EQ(doubts.confidence, "medium");
  ASSERT_EQ(doubts.warnings.size(), 1u);
  EXPECT_TRUE(doubts.warnings[0].contains("first in .gitignore")) << doubts.warnings[0];
}

TEST_F(ARepository, BoundsIgnoreFilesTogetherByBytesAndByPatterns) {
  std::string lines;
  for (std::size_t i = 0; i < kMostIgnorePatterns / 2; ++i) lines += "n" + std::to_string(i) + "\n";
  write(".gitignore", lines);
  write("a/.gitignore", lines);
  write("a/b/.gitignore", "*.log\n");
  write("a/b/c.log", "");
  write("z/.gitignore", "*.log\n");  // a's are no longer in force
  write("z/c.log", "");
  Survey seen = survey(root(), {}).value();
  EXPECT_EQ(seen.walk.ignore_lines_left_out, 1u);
  EXPECT_EQ(seen.walk.first_cut_ignore_file, "a/b/.gitignore");
  EXPECT_EQ(seen.walk.files, 5u);

  for (const std::string above : {"", "a/", "a/b/", "a/b/c/", "a/b/c/d/"})
    write(above + ".gitignore",
          std::string(4000, 'x') + "\n" + std::string(kLargestIgnoreFile - 5000, '#') + "\n");
  seen = survey(root(), {}).value();
  EXPECT_EQ(seen.walk.first_cut_ignore_file, "a/b/c/d/.gitignore");
}

TEST_F(ARepository, EndsItsWalkWhenItsTimeIsUp) {
  write("a.py", "x");
  const Survey seen =
      survey(root(), {.ignored = Ignored::kShow, .longest = std::chrono::milliseconds(-1)}).value();
  EXPECT_TRUE(seen.walk.was_cut);
  EXPECT_TRUE(seen.walk.was_late);
  EXPECT_EQ(doubts_about(seen).confidence, "low");
  EXPECT_TRUE(doubts_about(seen).warnings[0].contains("Time was up"));
}

TEST_F(ARepository, SaysInWhichPhaseTheTimeForInputsWasUp) {
  write("a.py", "x");
  const Fd folder = root();
  const Survey seen = survey(folder, {Ignored::kShow}).value();
  InputHasher hasher(folder, seen.files, {Ignored::kShow});
  const auto long_ago = std::chrono::steady_clock::now() - std::chrono::hours(1);
  EXPECT_EQ(hasher.hash({"*.py"}, long_ago)->phase, "matched");
  EXPECT_EQ(hasher.hash({"*.py"}, long_ago)->sha256, "");
  EXPECT_EQ(hasher.look_again({"*.py"}, long_ago), InputHasher::Change::kNotKnown);
  const auto later = std::chrono::steady_clock::now() + std::chrono::hours(1);
  EXPECT_EQ(hasher.hash({"*.py"}, later)->sha256.size(), 64u);
  EXPECT_EQ(hasher.look_again({"*.py"}, later), InputHasher::Change::kNone);
  write("b.py", "x");
  EXPECT_EQ(hasher.look_again({"*.py"}, later), InputHasher::Change::kSome);
}

TEST_F(ARepository, BracesMeanNothingInAnIgnoreFile) {
  write(".gitignore", "{a,b}\n[{]x\n");
  for (const char* name : {"a", "{a,b}", "{x", "b"}) write(name, "");
  EXPECT_EQ(files(), (Names{".gitignore", "a", "b"}));
}

}  // namespace
}  // namespace airlock::probe
