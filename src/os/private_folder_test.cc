#include "os/private_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <fstream>

namespace airlock::os {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 1> kOurs = {"own"};

class PrivateFolder : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    top_ = fs::path(testing::TempDir()) / ("private_" + std::string(test->name()));
    fs::remove_all(top_);
    fs::create_directories(top_);
  }
  void TearDown() override { fs::remove_all(top_); }

  std::string make(const std::string& name, mode_t mode) const {
    fs::create_directories(top_ / name);
    ::chmod((top_ / name).c_str(), mode);
    return (top_ / name).native();
  }
  static mode_t mode_of(const std::string& path) {
    struct stat facts{};
    ::lstat(path.c_str(), &facts);
    return facts.st_mode & 07777;
  }

  fs::path top_;
};

TEST_F(PrivateFolder, IsMadeWithAllThatIsMissingAboveIt) {
  const std::string path = (top_ / "a/b/c").native();
  ASSERT_TRUE(open_private_folder(path + "//", kOurs));
  EXPECT_EQ(mode_of(path), 0700u);
  EXPECT_EQ(mode_of((top_ / "a").native()), 0700u);
}

TEST_F(PrivateFolder, MayLieBelowALink) {
  make("real", 0700);
  fs::create_directory_symlink(top_ / "real", top_ / "link");
  EXPECT_TRUE(open_private_folder((top_ / "link/state").native(), kOurs));
}

TEST_F(PrivateFolder, IsNotALinkItself) {
  make("real", 0700);
  fs::create_directory_symlink(top_ / "real", top_ / "link");
  for (const char* name : {"link", "link/"})
    EXPECT_FALSE(open_private_folder((top_ / name).native(), kOurs)) << name;
}

TEST_F(PrivateFolder, IsClosedOnlyWhenItHoldsNothingOfOthers) {
  const std::string path = make("state", 0755);
  std::ofstream(path + "/own.db") << "";
  ASSERT_TRUE(open_private_folder(path, kOurs));
  EXPECT_EQ(mode_of(path), 0700u);
  std::ofstream(path + "/theirs") << "";
  ASSERT_TRUE(open_private_folder(path, kOurs));  // closed already: no objection
  ::chmod(path.c_str(), 0755);
  EXPECT_FALSE(open_private_folder(path, kOurs));
  EXPECT_EQ(mode_of(path), 0755u);
}

TEST_F(PrivateFolder, IsNotOneThatOthersWriteTo) {
  for (const mode_t mode : {0770u, 0702u, 01777u})
    EXPECT_FALSE(open_private_folder(make("state", mode), kOurs)) << mode;
}

TEST_F(PrivateFolder, IsNotAFile) {
  std::ofstream(top_ / "file") << "";
  EXPECT_FALSE(open_private_folder((top_ / "file").native(), kOurs));
  EXPECT_FALSE(open_private_folder((top_ / "file/below").native(), kOurs));
}

}  // namespace
}  // namespace airlock::os
