#include "os/open_beneath.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace airlock::os {
namespace {

namespace fs = std::filesystem;

class OpenBeneath : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "airlock-beneath-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    top_ = name;
    fs::create_directories(top_ / "in/deep");
    std::ofstream(top_ / "outside") << "x";
    std::ofstream(top_ / "in/deep/file") << "x";
    fs::create_symlink("deep/file", top_ / "in/link");
    fs::create_directory_symlink("deep", top_ / "in/folder");
    fs::create_directory_symlink("..", top_ / "in/up");
    folder_ = Fd(::open((top_ / "in").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  void TearDown() override { fs::remove_all(top_); }
  bool opens(const std::string& name) { return open_beneath(folder_, name).is_open(); }

  fs::path top_;
  Fd folder_;
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
  EXPECT_TRUE(open_beneath_with_links(folder_, "link").is_open());
  EXPECT_TRUE(open_beneath_with_links(folder_, "folder/file").is_open());
  EXPECT_FALSE(open_beneath_with_links(folder_, "up/outside").is_open());
}

TEST_F(OpenBeneath, NeverLeavesTheFolder) {
  EXPECT_FALSE(opens("../outside"));
  EXPECT_FALSE(opens((top_ / "outside").string()));
  EXPECT_FALSE(opens("deep/../../outside"));
  EXPECT_FALSE(opens(""));
}

TEST_F(OpenBeneath, DoesNotWaitForAPipe) {
  ASSERT_EQ(::mkfifo((top_ / "in/pipe").c_str(), 0600), 0);
  EXPECT_TRUE(opens("pipe"));
}

}  // namespace
}  // namespace airlock::os
