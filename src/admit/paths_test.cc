// Absolute paths become relative ones: each kind of folder, root and spelling, and what stays.
#include "admit/paths.h"

#include <gtest/gtest.h>

namespace airlock {
namespace {

std::string scrubbed(const std::string& text, const std::vector<std::string>& roots = {}) {
  return PathScrubber(roots).relative(text).value_or(text);
}

struct Case {
  std::string text;
  std::string expected;
};

TEST(Paths, HomeFoldersGo) {
  const std::vector<Case> cases = {
      {"/home/ann/code/x.py", "code/x.py"},
      {"/Users/ann/code/x.py", "code/x.py"},
      {"/root/x.py", "x.py"},
      {"/home/ann", "."},
      {"/home/ann/", "."},
      {"see /home/ann/a and /home/bob/b.", "see a and b."},
      {"/home/ann/bin:/Users/bob/bin", "bin:bin"},
      {"File \"/home/ann/x.py\", line 3", "File \"x.py\", line 3"},
      {"-I/home/ann/include -isystem/home/ann/y --sysroot=/home/ann/z",
       "-Iinclude -isystemy --sysroot=z"},
      {"../../home/ann/x", "x"},
      {"/home//ann///x", "x"},
      {"/var/home/ann/x /export/home/ann/y", "x y"},
      {"/home/j\u00F6rg/x", "x"},
      {"line\\n/home/ann/x", "line\\nx"},
      {"ann@host:/home/ann/x", "ann@host:x"},
  };
  for (const Case& one : cases) EXPECT_EQ(scrubbed(one.text), one.expected) << one.text;
}

TEST(Paths, TemporaryAndMountedFoldersGo) {
  const std::vector<Case> cases = {
      {"/tmp/build-1/a.c", "build-1/a.c"},
      {"/var/tmp/a", "a"},
      {"/private/tmp/a", "a"},
      {"/mnt/data/a.csv", "data/a.csv"},
      {"/mnt/c/Users/ann/a", "a"},
      {"/cygdrive/c/Users/ann/a", "a"},
      {"/c/Users/ann/a", "a"},
      {"/var/folders/ab/cd12/T/a", "a"},
      {"/private/var/folders/ab/cd12/T/a", "a"},
      {"/run/user/1000/a", "a"},
      {"/media/ann/disk/a", "disk/a"},
      {"/Volumes/Disk/Users/ann/a", "a"},
  };
  for (const Case& one : cases) EXPECT_EQ(scrubbed(one.text), one.expected) << one.text;
}

TEST(Paths, WindowsProfilesAndSharesGo) {
  const std::vector<Case> cases = {
      {R"(C:\Users\ann\code\x.py)", R"(code\x.py)"},
      {R"(c:/users/ann/code/x.py)", "code/x.py"},
      {R"(C:\\Users\\ann\\x.py)", "x.py"},
      {R"(C:\Users\Ann Lee\x.py)", "x.py"},
      {R"(C:\Documents and Settings\ann\x.py)", "x.py"},
      {R"(D:\Users\ann)", "."},
      {R"(\\server\share\a\b.txt)", R"(a\b.txt)"},
      {R"(\\\\server\\share\\a\\b.txt)", R"(a\\b.txt)"},
      {R"(\\server\Users\ann\b.txt)", "b.txt"},
      {R"(\\wsl$\Debian\home\ann\b.txt)", "b.txt"},
      {R"(\\?\C:\Users\ann\b.txt)", "b.txt"},
      {R"(open C:\Users\ann\a, C:/Users/bob/b)", R"(open a, b)"},
  };
  for (const Case& one : cases) EXPECT_EQ(scrubbed(one.text), one.expected) << one.text;
}

TEST(Paths, UrlsAndPercentEncodingAreRead) {
  const std::vector<Case> cases = {
      {"file:///home/ann/x.py", "x.py"},
      {"FILE://localhost/Users/ann/x.py", "x.py"},
      {"file:/home/ann/x", "x"},
      {"file:///C:/Users/ann/x.py", "x.py"},
      {"file:///c%3A/Users/ann/x.py", "x.py"},
      {"%2Fhome%2Fann%2Fx.py", "x.py"},
      {"%2fUsers%2fann%2fx.py", "x.py"},
      {"%252Fhome%252Fann%252Fx.py", "x.py"},
      {"C%3A%5CUsers%5Cann%5Cx.py", "x.py"},
      {"path=%2Fhome%2Fann%2Fx&a=1", "path=x&a=1"},
      {"q%3D%2Fhome%2Fann%2Fx", "q%3Dx"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(scrubbed(one.text), one.expected) << one.text;
  }
}

TEST(Paths, TheRootOfTheRepositoryComesFirst) {
  const std::vector<std::string> root = {"/home/ann/repo/"};
  EXPECT_EQ(scrubbed("/home/ann/repo/src/a.c", root), "src/a.c");
  EXPECT_EQ(scrubbed("/home/ann/repo", root), ".");
  EXPECT_EQ(scrubbed("/home/ann/repo2/a.c", root), "repo2/a.c");
  EXPECT_EQ(scrubbed("file:///home/ann/repo/a.c", root), "a.c");
  EXPECT_EQ(scrubbed("%2Fhome%2Fann%2Frepo%2Fa.c", root), "a.c");
  EXPECT_EQ(scrubbed("/srv/x y/a.c and /srv/x%20y/b.c", {"/srv/x y"}), "a.c and b.c");
  EXPECT_EQ(scrubbed("/opt/ci/a.c", {"/opt/ci"}), "a.c");
  EXPECT_EQ(scrubbed(R"(d:\code\Repo\src\a.c D:/code/repo/b.c)", {R"(D:\code\repo)"}),
            R"(src\a.c b.c)");
  EXPECT_EQ(scrubbed("/a/b/c/d", {"/a/b", "/a/b/c"}), "d");
}

TEST(Paths, ARootThatIsEverythingIsNone) {
  for (const char* root : {"", "/", "//", "C:\\", "C:"})
    EXPECT_EQ(scrubbed("/etc/hosts C:\\Windows", {root}), "/etc/hosts C:\\Windows") << root;
}

TEST(Paths, WhatNamesNobodyStays) {
  for (const char* text : {"src/home/ann/x",
                           "docs/Users/guide.md",
                           "https://example.com/home/ann/x",
                           "http://localhost:8080/home/a/b",
                           "/usr/lib/python3",
                           "/etc/passwd",
                           "/homes/x",
                           "/home",
                           "/home/",
                           "/home/<user>/x",
                           "/home/$USER/x",
                           "/Users/*/x",
                           "/tmp",
                           "/root",
                           "a / b",
                           "50%",
                           "100%2",
                           "%",
                           "1/2",
                           "and/or",
                           R"(\\s\\d+\\w)",
                           R"(\d+\.\d+)",
                           "C:\\Windows\\System32",
                           "~/x",
                           "./home/ann/x",
                           "//cdn.example.com/lib.js",
                           "rootless/x",
                           "s/home/away/"}) {
    EXPECT_EQ(scrubbed(text), text);
  }
}

}  // namespace
}  // namespace airlock
