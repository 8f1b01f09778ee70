#include "os/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "os/open_file.h"
#include "support/folder_test.h"

namespace airlock::os {
namespace {

namespace fs = std::filesystem;

using Files = airlock::test::FolderTest;

TEST_F(Files, AFileIsReadWhole) {
  const auto file = read_file(write("a.py", std::string_view("a\0b", 3)), 100);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->bytes, std::string_view("a\0b", 3));
  EXPECT_EQ(file->size, 3u);
}

TEST_F(Files, ALongFileIsNotReadToItsEndButSaysItsSize) {
  const auto file = read_file(write("a.py", std::string(200000, 'x')), 10);
  ASSERT_TRUE(file);
  EXPECT_LE(file->bytes.size(), 11u);
  EXPECT_EQ(file->size, 200000u);
}

TEST_F(Files, AFileOfExactlyTheLimitIsNotTooLong) {
  const auto file = read_file(write("a.py", "0123456789"), 10);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->size, 10u);
}

TEST_F(Files, AMissingFileIsAnErrorThatNamesIt) {
  const auto file = read_file(path("none.py"), 10);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().message, "read " + path("none.py") + ": No such file or directory");
}

TEST_F(Files, AFolderIsNotAFile) {
  EXPECT_FALSE(read_file(folder_.native(), 10));
}

// A pipe that nobody writes to would be waited for; whether somebody does cannot be known.
TEST_F(Files, APipeWithANameIsNoFile) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const auto file = read_file(pipe, 100);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().message,
            "read " + pipe +
                ": it is a pipe, not a file; to read from it, make it standard input: - < " + pipe);
}

TEST_F(Files, ADescriptorThatWeWereGivenIsReadByItsName) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const std::string text = "through a pipe";
  ASSERT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  ::close(ends[1]);
  for (const char* folder : {"/dev/fd/", "/proc/self/fd/"}) {
    const auto file = read_file(folder + std::to_string(ends[0]), 100);
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->bytes, folder == std::string_view("/dev/fd/") ? text : "");
  }
  ::close(ends[0]);
}

TEST_F(Files, DevicesAndSocketsAreNoFiles) {
  EXPECT_FALSE(read_file("/dev/zero", 1000));
  EXPECT_TRUE(read_file("/dev/null", 1000));
  const Fd socket(::socket(AF_UNIX, SOCK_STREAM, 0));
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  const std::string shown = path("s");
  ASSERT_LT(shown.size(), sizeof name.sun_path);
  std::ranges::copy(shown, name.sun_path);
  ASSERT_EQ(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name), 0);
  const auto file = read_file(shown, 100);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().message, "read " + shown + ": it is a socket, not a file");
}

TEST_F(Files, OnlyFilesAreAppendedTo) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(open_to_append(pipe));
  EXPECT_FALSE(open_to_append(folder_.native()));
  EXPECT_TRUE(open_to_append(path("log")));
  EXPECT_TRUE(open_to_append("/dev/null"));
}

// What is found under a name that others can guess is trusted only as far as it can be ours.
TEST_F(Files, AFileIsOursWhenNobodyElseCanHavePutItThere) {
  const Fd folder(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY));
  const auto open = [&](const char* name) {
    return open_own_file(folder.get(), name, path(name), O_RDWR);
  };
  write("mine", "x");
  ::chmod(path("mine").c_str(), 0600);
  EXPECT_TRUE(open("mine"));
  fs::create_symlink("mine", folder_ / "link");
  EXPECT_FALSE(open("link"));
  ::mkfifo(path("pipe").c_str(), 0600);
  EXPECT_FALSE(open("pipe"));
  write("shared", "x");
  ::chmod(path("shared").c_str(), 0620);
  EXPECT_FALSE(open("shared"));
  fs::create_hard_link(folder_ / "mine", folder_ / "again");
  EXPECT_FALSE(open("mine"));
  EXPECT_FALSE(open("none"));
}

TEST_F(Files, KindsOfPaths) {
  EXPECT_EQ(kind_of_path(write("a.py", "")), PathKind::kFile);
  EXPECT_EQ(kind_of_path(folder_.native()), PathKind::kFolder);
  EXPECT_EQ(kind_of_path("/dev/null"), PathKind::kOther);
  EXPECT_FALSE(kind_of_path(path("none")));
}

}  // namespace
}  // namespace airlock::os
