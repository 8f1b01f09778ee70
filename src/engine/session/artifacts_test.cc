// Files that hostile code has left in /out: what is new is read, what is no file is named, and
// nothing waits or follows.
#include "engine/session/artifacts.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/fd.h"

namespace airlock {
namespace {

namespace fs = std::filesystem;

class Artifacts : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "airlock-artifacts-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = name;
    folder_ = Fd(::open(root_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& name, const std::string& bytes) {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name, std::ios::binary) << bytes;
  }
  Harvest read(const ArtifactLimits& limits = {}) { return reader_.read(folder_.get(), limits); }
  static std::vector<std::string> names(const Harvest& harvest) {
    std::vector<std::string> names;
    for (const Artifact& one : harvest.artifacts) names.push_back(one.name + "=" + one.bytes);
    return names;
  }

  fs::path root_;
  Fd folder_;
  ArtifactReader reader_;
};

using Names = std::vector<std::string>;

TEST_F(Artifacts, AnEmptyFolderIsSeenWithoutReading) {
  EXPECT_TRUE(ArtifactReader::is_empty(folder_.get()));
  write("a", "1");
  EXPECT_FALSE(ArtifactReader::is_empty(folder_.get()));
}

TEST_F(Artifacts, WhatLibrariesKeepForThemselvesIsNone) {
  write(".cache/fonts.json", "1");
  write(".cached", "2");
  write("sub/.cache/a", "3");
  EXPECT_EQ(names(read()), (Names{".cached=2", "sub/.cache/a=3"}));
}

TEST_F(Artifacts, NewAndChangedFilesAreReadOnce) {
  write("b.txt", "1");
  write("sub/a", "2");
  EXPECT_EQ(names(read()), (Names{"b.txt=1", "sub/a=2"}));
  EXPECT_EQ(names(read()), Names{});
  write("b.txt", "longer");
  EXPECT_EQ(names(read()), Names{"b.txt=longer"});
  fs::remove(root_ / "b.txt");
  EXPECT_EQ(names(read()), Names{});
  write("b.txt", "longer");
  EXPECT_EQ(names(read()), Names{"b.txt=longer"});
}

TEST_F(Artifacts, AChangeWithItsTimePutBackIsSeen) {
  write("a", "1");
  read();
  const auto time = fs::last_write_time(root_ / "a");
  write("a", "2");
  fs::last_write_time(root_ / "a", time);
  EXPECT_EQ(names(read()), Names{"a=2"});
}

TEST_F(Artifacts, WhatIsNoFileIsNamedAndNotOpened) {
  fs::create_symlink("/etc/passwd", root_ / "link");
  fs::create_directory_symlink("/etc", root_ / "folder");
  ASSERT_EQ(::mkfifo((root_ / "fifo").c_str(), 0600), 0);
  Harvest harvest = read();
  EXPECT_EQ(names(harvest), Names{});
  std::ranges::sort(harvest.left_out);
  EXPECT_EQ(harvest.left_out, (Names{"fifo: it is no regular file", "folder: it is no regular file",
                                     "link: it is no regular file"}));
}

TEST_F(Artifacts, BytesFilesAndDepthAreBounded) {
  ArtifactLimits limits;
  limits.files = 2;
  limits.bytes = 10;
  limits.depth = 2;
  write("large", std::string(11, 'x'));
  Harvest harvest = read(limits);
  EXPECT_EQ(harvest.left_out, Names{"large: there is no room for its bytes"});
  fs::remove(root_ / "large");
  for (const char* name : {"a", "b", "c"}) write(name, "1");
  EXPECT_EQ(read(limits).artifacts.size(), 2U);
  for (const char* name : {"a", "b", "c"}) fs::remove(root_ / name);
  write("1/2/3/deep", "1");
  EXPECT_EQ(read(limits).left_out, Names{"1/2/3: folders are too deep"});
}

TEST_F(Artifacts, AHoleIsNoMoreThanItsSize) {
  write("hole", "");
  ASSERT_EQ(::truncate((root_ / "hole").c_str(), 1'000'000'000'000), 0);
  EXPECT_EQ(read().left_out, Names{"hole: there is no room for its bytes"});
}

TEST_F(Artifacts, NamesThatAreNoTextAreLeftOut) {
  write("bad\xff", "1");
  const Harvest harvest = read();
  EXPECT_EQ(names(harvest), Names{});
  EXPECT_EQ(harvest.left_out, Names{"bad\xEF\xBF\xBD: its name is not UTF-8"});
}

TEST_F(Artifacts, WhatIsLeftOutIsBoundedToo) {
  for (int i = 0; i < 30; ++i) fs::create_symlink("x", root_ / ("l" + std::to_string(i)));
  const Harvest harvest = read();
  EXPECT_EQ(harvest.left_out.size(), 21U);
  EXPECT_EQ(harvest.left_out.back(), "and 10 more");
}

}  // namespace
}  // namespace airlock
