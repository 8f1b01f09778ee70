#include "os/replace_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/folder_test.h"

namespace airlock::os {
namespace {

namespace fs = std::filesystem;

class ReplaceFile : public airlock::test::FolderTest {
 protected:
  std::string read(const fs::path& name) {
    std::ostringstream text;
    text << std::ifstream(folder_ / name).rdbuf();
    return text.str();
  }
  std::size_t entries() {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
};

TEST_F(ReplaceFile, WritesAndReplaces) {
  ASSERT_TRUE(replace_file((folder_ / "a").string(), "one"));
  ASSERT_TRUE(replace_file((folder_ / "a").string(), "two"));
  EXPECT_EQ(read("a"), "two");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(ReplaceFile, LeavesEverythingWhenItCannot) {
  fs::create_directory(folder_ / "folder");
  EXPECT_FALSE(replace_file((folder_ / "folder").string(), "x"));
  EXPECT_FALSE(replace_file((folder_ / "none/a").string(), "x"));
  EXPECT_FALSE(replace_file((folder_ / "folder/").string(), "x"));
  EXPECT_EQ(entries(), 1U);
}

TEST_F(ReplaceFile, WritesToWhatIsNoFile) {
  EXPECT_TRUE(replace_file("/dev/null", "x"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(ReplaceFile, SaysBeforehandWhatWouldFail) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  fs::create_directory(folder_ / "folder");
  for (const char* name : {"pipe", "folder", "folder/", "none/a"}) {
    const std::string path = (folder_ / name).string();
    const auto can = can_replace_file(path);
    const auto done = replace_file(path, "x");
    ASSERT_FALSE(can) << name;
    ASSERT_FALSE(done) << name;
    EXPECT_EQ(can.error().message, done.error().message);
  }
  ASSERT_TRUE(replace_file((folder_ / "a").string(), "one"));
  EXPECT_TRUE(can_replace_file((folder_ / "a").string()));
  EXPECT_TRUE(can_replace_file((folder_ / "new").string()));
  EXPECT_TRUE(can_replace_file("/dev/null"));
  EXPECT_EQ(read("a"), "one");
  EXPECT_EQ(entries(), 3U);
}

TEST_F(ReplaceFile, BeneathAFolderMakesFoldersAndFollowsNoLink) {
  const Fd folder(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ASSERT_TRUE(place_file_beneath(folder, "a/b/c", "text"));
  EXPECT_EQ(read("a/b/c"), "text");
  EXPECT_EQ(fs::status(folder_ / "a/b/c").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  fs::create_directory_symlink("/tmp", folder_ / "link");
  EXPECT_FALSE(place_file_beneath(folder, "link/c", "text"));
  EXPECT_FALSE(place_file_beneath(folder, "a/b/c/d", "text"));
}

}  // namespace
}  // namespace airlock::os
