#include "os/private_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "support/folder_test.h"

namespace airlock::os {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 1> kOurs = {"own"};

class PrivateFolder : public airlock::test::FolderTest {
 protected:
  std::string make(const std::string& name, mode_t mode) const {
    fs::create_directories(folder_ / name);
    ::chmod((folder_ / name).c_str(), mode);
    return (folder_ / name).native();
  }
  static mode_t mode_of(const std::string& path) {
    struct stat facts{};
    ::lstat(path.c_str(), &facts);
    return facts.st_mode & 07777;
  }
};

TEST_F(PrivateFolder, IsMadeWithAllThatIsMissingAboveIt) {
  const std::string path = (folder_ / "a/b/c").native();
  ASSERT_TRUE(open_private_folder(path + "//", kOurs));
  EXPECT_EQ(mode_of(path), 0700u);
  EXPECT_EQ(mode_of((folder_ / "a").native()), 0700u);
}

TEST_F(PrivateFolder, MayLieBelowALink) {
  make("real", 0700);
  fs::create_directory_symlink(folder_ / "real", folder_ / "link");
  EXPECT_TRUE(open_private_folder((folder_ / "link/state").native(), kOurs));
}

TEST_F(PrivateFolder, IsNotALinkItself) {
  make("real", 0700);
  fs::create_directory_symlink(folder_ / "real", folder_ / "link");
  for (const char* name : {"link", "link/"})
    EXPECT_FALSE(open_private_folder((folder_ / name).native(), kOurs)) << name;
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
  std::ofstream(folder_ / "file") << "";
  EXPECT_FALSE(open_private_folder((folder_ / "file").native(), kOurs));
  EXPECT_FALSE(open_private_folder((folder_ / "file/below").native(), kOurs));
}

}  // namespace
}  // namespace airlock::os
