#include "os/open_beneath.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "support/folder_test.h"

namespace airlock::os {
namespace {

namespace fs = std::filesystem;

class OpenBeneath : public airlock::test::FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    fs::create_directories(folder_ / "in/deep");
    std::ofstream(folder_ / "outside") << "x";
    std::ofstream(folder_ / "in/deep/file") << "x";
    fs::create_symlink("deep/file", folder_ / "in/link");
    fs::create_directory_symlink("deep", folder_ / "in/folder");
    fs::create_directory_symlink("..", folder_ / "in/up");
    opened_ = Fd(::open((folder_ / "in").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  bool opens(const std::string& name) { return open_beneath(opened_, name).is_open(); }

  Fd opened_;
};

TEST_F(OpenBeneath, FindsAFile) {
  EXPECT_TRUE(opens("deep/file"));
  EXPECT_FALSE(opens("deep/other"));
}

TEST_F(OpenBeneath, FollowsNoLink) {
  EXPECT_FALSE(opens("link"));
  EXPECT_FALSE(opens("folder/file"));
  EXPECT_FALSE(opens("up/outside"));
}

TEST_F(OpenBeneath, FollowsLinksThatStayInsideWhenAsked) {
  EXPECT_TRUE(open_beneath_with_links(opened_, "link").is_open());
  EXPECT_TRUE(open_beneath_with_links(opened_, "folder/file").is_open());
  EXPECT_FALSE(open_beneath_with_links(opened_, "up/outside").is_open());
}

TEST_F(OpenBeneath, NeverLeavesTheFolder) {
  EXPECT_FALSE(opens("../outside"));
  EXPECT_FALSE(opens((folder_ / "outside").string()));
  EXPECT_FALSE(opens("deep/../../outside"));
  EXPECT_FALSE(opens(""));
}

TEST_F(OpenBeneath, DoesNotWaitForAPipe) {
  ASSERT_EQ(::mkfifo((folder_ / "in/pipe").c_str(), 0600), 0);
  EXPECT_TRUE(opens("pipe"));
}

}  // namespace
}  // namespace airlock::os
