#include "os/python_walk.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "support/folder_test.h"

namespace airlock::os {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class Walk : public airlock::test::FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    src_ = folder_ / "src";
    fs::create_directories(src_);
  }

  void write(const fs::path& name, std::string_view text = "x = 1\n") const {
    fs::create_directories((src_ / name).parent_path());
    std::ofstream(src_ / name, std::ios::binary) << text;
  }
  // Names below the folder, in the order in which they are found.
  Names found() {
    auto walk = PythonWalk::start(src_.native());
    EXPECT_TRUE(walk);
    Names names;
    while (const auto file = walk->next(passed_))
      names.push_back(file->name().substr(src_.native().size() + 1));
    return names;
  }

  fs::path src_;
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
  fs::create_directory_symlink(src_, src_ / "real" / "loop");
  fs::create_directory_symlink(folder_, src_ / "away");
  fs::create_directory_symlink("real", src_ / "named.py");
  fs::create_directory_symlink("real", src_ / ".hidden");
  write("b.txt");
  fs::create_symlink("b.txt", src_ / "c.txt");
  EXPECT_EQ(found(), Names{"real/a.py"});
  ASSERT_EQ(passed_.skipped.size(), 3u);
  std::ranges::sort(passed_.skipped);
  const Names names = {"away", "named.py", "real/loop"};
  for (std::size_t i = 0; i < names.size(); ++i)
    EXPECT_EQ(passed_.skipped[i],
              (src_ / names[i]).native() + ": this link leads to a folder, so it was not followed");
}

TEST_F(Walk, ALinkToItselfIsCalledThat) {
  fs::create_symlink("loop.py", src_ / "loop.py");
  fs::create_symlink("two.py", src_ / "one.py");
  fs::create_symlink("one.py", src_ / "two.py");
  fs::create_symlink("nothing", src_ / "none.py");
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
  fs::create_symlink("../a.py", src_ / "sub" / "link.py");
  EXPECT_EQ(found(), (Names{"a.py", "sub/b.py", "sub/link.py"}));
  EXPECT_TRUE(passed_.skipped.empty());
}

TEST_F(Walk, ALinkThatLeadsOutIsNotFollowedAndSaid) {
  std::ofstream(folder_ / "secret") << "hunter2\n";
  write("a.py");
  fs::create_symlink("../secret", src_ / "relative.py");
  fs::create_symlink(folder_ / "secret", src_ / "absolute.py");
  fs::create_symlink("/proc/self/environ", src_ / "environ.py");
  EXPECT_EQ(found(), Names{"a.py"});
  EXPECT_EQ(passed_.skipped.size(), 3u);
  EXPECT_NE(passed_.skipped.back().find("leads out of"), std::string::npos);
}

TEST_F(Walk, ALinkThatIsTurnedAroundAfterItWasFoundLeadsNowhere) {
  std::ofstream(folder_ / "secret") << "hunter2\n";
  write("a.py");
  fs::create_symlink("a.py", src_ / "link.py");
  auto walk = PythonWalk::start(src_.native());
  ASSERT_TRUE(walk);
  walk->next(passed_);
  const auto link = walk->next(passed_);
  ASSERT_TRUE(link);
  ASSERT_TRUE(link->read(100));
  fs::remove(src_ / "link.py");
  fs::create_symlink(folder_ / "secret", src_ / "link.py");
  EXPECT_FALSE(link->read(100));
}

TEST_F(Walk, WhatIsNoRegularFileIsNotReadAndSaid) {
  ASSERT_EQ(::mkfifo((src_ / "pipe.py").c_str(), 0600), 0);
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
  auto walk = PythonWalk::start(src_.native());
  const auto file = walk->next(passed_);
  ASSERT_TRUE(file);
  const auto bytes = file->read(10);
  ASSERT_TRUE(bytes);
  EXPECT_LE(bytes->bytes.size(), 11u);
  EXPECT_EQ(bytes->size, 1000u);
}

TEST_F(Walk, AFolderThatCannotBeListedIsSaid) {
  const auto walk = PythonWalk::start((src_ / "none").native());
  ASSERT_FALSE(walk);
  EXPECT_NE(walk.error().message.find("none: No such file or directory"), std::string::npos);
}

}  // namespace
}  // namespace airlock::os
