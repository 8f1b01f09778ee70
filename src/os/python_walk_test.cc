#include "os/python_walk.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace airlock::os {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class Walk : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    outside_ = fs::path(testing::TempDir()) / ("walk_" + std::string(test->name()));
    fs::remove_all(outside_);
    folder_ = outside_ / "src";
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(outside_); }

  void write(const fs::path& name, std::string_view text = "x = 1\n") const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  // Names below the folder, in the order in which they are found.
  Names found() {
    auto walk = PythonWalk::start(folder_.native());
    EXPECT_TRUE(walk);
    Names names;
    while (const auto file = walk->next(passed_))
      names.push_back(file->name().substr(folder_.native().size() + 1));
    return names;
  }

  fs::path outside_;
  fs::path folder_;
  PythonWalk::Passed passed_;
};

TEST_F(Walk, FilesComeInTheOrderOfTheirWholeNamesAtAnyDepth) {
  const Names names = {"a-b.py", "a.py", "a/z.py", "b.py", "sub/deep/c.py"};
  for (const std::string& name : names) write(name);
  write("sub/d.txt");
  write("e.pyc");
  const Names walked = found();
  EXPECT_EQ(walked, names);
  EXPECT_TRUE(std::ranges::is_sorted(walked));
}

TEST_F(Walk, HiddenFoldersAndCachesAreLeftOut) {
  for (const char* name : {".git/a.py", "__pycache__/b.py", "c.py"}) write(name);
  EXPECT_EQ(found(), Names{"c.py"});
}

TEST_F(Walk, ALinkToAFolderIsNotFollowed) {
  write("real/a.py");
  fs::create_directory_symlink(folder_, folder_ / "real" / "loop");
  fs::create_directory_symlink(outside_, folder_ / "away");
  fs::create_directory_symlink("real", folder_ / "named.py");
  fs::create_directory_symlink("real", folder_ / ".hidden");
  write("b.txt");
  fs::create_symlink("b.txt", folder_ / "c.txt");
  EXPECT_EQ(found(), Names{"real/a.py"});
  ASSERT_EQ(passed_.skipped.size(), 3u);
  std::ranges::sort(passed_.skipped);
  const Names names = {"away", "named.py", "real/loop"};
  for (std::size_t i = 0; i < names.size(); ++i)
    EXPECT_EQ(passed_.skipped[i], (folder_ / names[i]).native() +
                                      ": this link leads to a folder, so it was not followed");
}

TEST_F(Walk, ALinkToItselfIsCalledThat) {
  fs::create_symlink("loop.py", folder_ / "loop.py");
  fs::create_symlink("two.py", folder_ / "one.py");
  fs::create_symlink("one.py", folder_ / "two.py");
  fs::create_symlink("nothing", folder_ / "none.py");
  EXPECT_EQ(found(), Names());
  ASSERT_EQ(passed_.skipped.size(), 4u);
  for (const std::string& said : passed_.skipped) {
    const bool is_none = said.find("none.py") != std::string::npos;
    EXPECT_TRUE(said.ends_with(is_none ? ": this link leads to no file"
                                       : ": this link leads back to itself"))
        << said;
  }
}

TEST_F(Walk, ALinkThatStaysInsideIsAFile) {
  write("a.py");
  write("sub/b.py");
  fs::create_symlink("../a.py", folder_ / "sub" / "link.py");
  EXPECT_EQ(found(), (Names{"a.py", "sub/b.py", "sub/link.py"}));
  EXPECT_TRUE(passed_.skipped.empty());
}

TEST_F(Walk, ALinkThatLeadsOutIsNotFollowedAndSaid) {
  std::ofstream(outside_ / "secret") << "hunter2\n";
  write("a.py");
  fs::create_symlink("../secret", folder_ / "relative.py");
  fs::create_symlink(outside_ / "secret", folder_ / "absolute.py");
  fs::create_symlink("/proc/self/environ", folder_ / "environ.py");
  EXPECT_EQ(found(), Names{"a.py"});
  EXPECT_EQ(passed_.skipped.size(), 3u);
  EXPECT_NE(passed_.skipped.back().find("leads out of"), std::string::npos);
}

TEST_F(Walk, ALinkThatIsTurnedAroundAfterItWasFoundLeadsNowhere) {
  std::ofstream(outside_ / "secret") << "hunter2\n";
  write("a.py");
  fs::create_symlink("a.py", folder_ / "link.py");
  auto walk = PythonWalk::start(folder_.native());
  ASSERT_TRUE(walk);
  walk->next(passed_);
  const auto link = walk->next(passed_);
  ASSERT_TRUE(link);
  ASSERT_TRUE(link->read(100));
  fs::remove(folder_ / "link.py");
  fs::create_symlink(outside_ / "secret", folder_ / "link.py");
  EXPECT_FALSE(link->read(100));
}

TEST_F(Walk, WhatIsNoRegularFileIsNotReadAndSaid) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe.py").c_str(), 0600), 0);
  EXPECT_EQ(found(), Names());
  ASSERT_EQ(passed_.skipped.size(), 1u);
  EXPECT_NE(passed_.skipped[0].find("it is not a file"), std::string::npos);
}

TEST_F(Walk, AFolderNamedLikeAPythonFileIsAFolder) {
  write("odd.py/inner.py");
  EXPECT_EQ(found(), Names{"odd.py/inner.py"});
}

TEST_F(Walk, AFoundFileIsReadToTheLimitAndSaysItsSize) {
  write("a.py", std::string(1000, '#'));
  auto walk = PythonWalk::start(folder_.native());
  const auto file = walk->next(passed_);
  ASSERT_TRUE(file);
  const auto bytes = file->read(10);
  ASSERT_TRUE(bytes);
  EXPECT_LE(bytes->bytes.size(), 11u);
  EXPECT_EQ(bytes->size, 1000u);
}

TEST_F(Walk, AFolderThatCannotBeListedIsSaid) {
  const auto walk = PythonWalk::start((folder_ / "none").native());
  ASSERT_FALSE(walk);
  EXPECT_NE(walk.error().message.find("none: No such file or directory"), std::string::npos);
}

}  // namespace
}  // namespace airlock::os
