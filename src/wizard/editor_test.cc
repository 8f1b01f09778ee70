// Editors here are programs of the test's own: one small shell script each.
#include "wizard/editor.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "support/folder_test.h"

namespace airlock::wizard {
namespace {

namespace fs = std::filesystem;

class EditorTest : public airlock::test::FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    fs::create_directory(folder_ / "tmp");
    ::setenv("TMPDIR", (folder_ / "tmp").c_str(), 1);
  }
  void TearDown() override {
    EXPECT_TRUE(fs::is_empty(folder_ / "tmp"));  // whatever the editor did
    ::unsetenv("TMPDIR");
    FolderTest::TearDown();
  }

  std::string editor(const std::string& name, const std::string& script) {
    const fs::path file = folder_ / name;
    std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(file, fs::perms::owner_all);
    return file.native();
  }
  static Result<std::string> edit(const std::string& command) {
    return edit_text({.visual = {}, .editor = command}, "before\n", ".py");
  }
  static void expect_kept(const Result<std::string>& done, std::string_view words) {
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().message.find(words), std::string::npos) << done.error().message;
  }
};

TEST_F(EditorTest, WhatTheEditorWroteComesBack) {
  EXPECT_EQ(edit(editor("ed", R"sh(printf 'after\n' >> "$1")sh")).value(), "before\nafter\n");
  EXPECT_EQ(edit(editor("idle", "exit 0")).value(), "before\n");
}

TEST_F(EditorTest, TheFileIsPrivateAndHasTheSuffix) {
  const std::string look =
      R"sh(stat -c '%a %n' "$1" "$(dirname "$1")" > )sh" + (folder_ / "seen").native();
  ASSERT_TRUE(edit(editor("look", look)));
  std::ifstream seen(folder_ / "seen");
  std::string first, second;
  std::getline(seen, first);
  std::getline(seen, second);
  EXPECT_TRUE(first.starts_with("600 ") && first.ends_with(".py")) << first;
  EXPECT_TRUE(second.starts_with("700 ")) << second;
}

TEST_F(EditorTest, VisualComesBeforeEditorAndAnEmptyOneIsNone) {
  EXPECT_EQ(editor_command({"vim", "nano"}), "vim");
  EXPECT_EQ(editor_command({"", "nano"}), "nano");
  EXPECT_EQ(editor_command({"  ", "nano"}), "nano");
}

TEST_F(EditorTest, EditorsWithAWindowAreAskedToWaitOnce) {
  EXPECT_EQ(editor_command({"", "code"}), "code --wait");
  EXPECT_EQ(editor_command({"", "/usr/bin/subl -n"}), "/usr/bin/subl --wait -n");
  EXPECT_EQ(editor_command({"", "code -w"}), "code -w");
  EXPECT_EQ(editor_command({"", "zed --wait"}), "zed --wait");
  EXPECT_EQ(editor_command({"", "kate"}), "kate --block");
  EXPECT_EQ(editor_command({"", "vim -u NONE"}), "vim -u NONE");
}

TEST_F(EditorTest, ArgumentsAreHonouredWithoutAShell) {
  const std::string file =
      editor("args", R"sh(printf '%s|' "$@" > "$3"; shift 2; sed -i 's/|[^|]*|$/|/' "$1")sh");
  EXPECT_EQ(edit(file + R"sh( -u 'two words; $(touch x)')sh").value(), "-u|two words; $(touch x)|");
}

TEST_F(EditorTest, AProgramInAFolderWithABlankNeedsNoQuotes) {
  fs::create_directory(folder_ / "my tools");
  const std::string file = editor("my tools/ed", R"sh(echo after > "$1")sh");
  EXPECT_EQ(edit(file).value(), "after\n");
}

TEST_F(EditorTest, AnEditorThatIsMissingIsSaid) {
  expect_kept(edit("no-such-editor --fast"), "there is no editor 'no-such-editor', which EDITOR");
  expect_kept(edit("vim 'open"), "a quote in it is not closed");
  expect_kept(edit((folder_ / "tmp").native()), "there is no editor");
}

TEST_F(EditorTest, AnEditorThatFailsKeepsTheOriginal) {
  expect_kept(edit(editor("bad", R"sh(echo x > "$1"; exit 3)sh")), "exit code 3");
  expect_kept(edit(editor("dead", "kill -9 $$")), "signal 9");
}

TEST_F(EditorTest, AFileThatCannotBeUsedKeepsTheOriginal) {
  expect_kept(edit(editor("rm", R"sh(rm "$1")sh")), "has removed the file");
  expect_kept(edit(editor("link", R"sh(rm "$1"; ln -s /etc/passwd "$1")sh")), "something else");
  expect_kept(edit(editor("fifo", R"sh(rm "$1"; mkfifo "$1")sh")), "something else");
  expect_kept(edit(editor("empty", R"sh(: > "$1")sh")), "is empty now");
  expect_kept(edit(editor("blank", R"sh(echo '   ' > "$1")sh")), "is empty now");
  expect_kept(edit(editor("long", R"sh(head -c 1048577 /dev/zero | tr '\0' a > "$1")sh")), "1 MiB");
  expect_kept(edit(editor("latin", R"sh(printf 'ok\n\377\n' > "$1")sh")),
              "not UTF-8 any more (line 2)");
}

TEST_F(EditorTest, WhatTheEditorLeavesBesideTheFileIsRemovedToo) {
  EXPECT_TRUE(edit(editor("backup", R"sh(cp "$1" "$1~"; mkdir "$(dirname "$1")/swap")sh")));
}

TEST_F(EditorTest, ItsKeysAreItsOwnAndComeBackToUs) {
  struct sigaction before{};
  struct sigaction after{};
  ::sigaction(SIGINT, nullptr, &before);
  EXPECT_TRUE(edit(editor("int", "kill -INT $PPID")));  // we go on
  ::sigaction(SIGINT, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
}

TEST_F(EditorTest, WithoutAPlaceForTheFileItSaysSo) {
  ::setenv("TMPDIR", (folder_ / "nowhere").c_str(), 1);
  expect_kept(edit(editor("idle", "exit 0")), "make a folder for the text to edit");
  ::setenv("TMPDIR", (folder_ / "tmp").c_str(), 1);
}

}  // namespace
}  // namespace airlock::wizard
