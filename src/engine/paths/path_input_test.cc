#include "engine/paths/path_input.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace airlock {
namespace {

class PathInputTest : public testing::Test {
 protected:
  std::string file(const std::string& bytes) {
    const std::string name = testing::TempDir() + "path_input_" + std::to_string(files_.size()) +
                             "_" + std::to_string(::getpid());
    std::ofstream(name, std::ios::binary) << bytes;
    files_.push_back(name);
    return name;
  }

  static std::vector<std::string> all(const std::vector<std::string>& names,
                                      Separator separator = Separator::kNewline) {
    auto input = PathInput::open(names, separator);
    if (!input) return {"error: " + input.error().message};
    std::vector<std::string> lines;
    while (!input->is_finished()) {
      while (const auto line = input->next())
        lines.push_back(std::string(line->text) + (line->was_cut ? " (cut)" : ""));
      if (!input->read_more()) return {"error"};
    }
    return lines;
  }

  void TearDown() override {
    for (const std::string& name : files_) std::filesystem::remove(name);
  }

 private:
  std::vector<std::string> files_;
};

using Lines = std::vector<std::string>;

TEST_F(PathInputTest, WhatIsOnlyReadAheadIsNotTaken) {
  auto input = PathInput::open({file("/a\n/bcd\n/e")}, Separator::kNewline);
  ASSERT_TRUE(input.has_value());
  EXPECT_EQ(input->bytes_in_all(), 10U);
  ASSERT_TRUE(input->read_more());
  EXPECT_EQ(input->bytes_taken(), 0U);
  EXPECT_TRUE(input->next());
  EXPECT_EQ(input->bytes_taken(), 3U);
  EXPECT_TRUE(input->next());
  EXPECT_EQ(input->bytes_taken(), 8U);
  EXPECT_FALSE(input->next());
  ASSERT_TRUE(input->read_more());
  EXPECT_TRUE(input->next()) << "its file's end is its end";
  EXPECT_EQ(input->bytes_taken(), 10U);
}

TEST_F(PathInputTest, EveryLineCountsAnEmptyOneToo) {
  EXPECT_EQ(all({file("a\n\nb\r\nc")}), (Lines{"a", "", "b", "c"}));
}

TEST_F(PathInputTest, ALineEndsWithItsFile) {
  EXPECT_EQ(all({file("a\nb"), file(""), file("c\n")}), (Lines{"a", "b", "c"}));
}

TEST_F(PathInputTest, WithNulANewlineIsPartOfAPath) {
  EXPECT_EQ(all({file(std::string("a\nb\0c\r\0", 7))}, Separator::kNul), (Lines{"a\nb", "c\r"}));
}

TEST_F(PathInputTest, AByteOrderMarkAtTheVeryStartIsNotPartOfAPath) {
  const std::string mark = "\xEF\xBB\xBF";
  EXPECT_EQ(all({file(mark + "a\n" + mark + "b\n"), file(mark + "c\n")}),
            (Lines{"a", mark + "b", mark + "c"}));
  EXPECT_EQ(all({file(mark)}), Lines{});
  EXPECT_EQ(all({file("x\n"), file(mark + "a\n")}), (Lines{"x", mark + "a"}));
  EXPECT_EQ(all({file(mark + std::string("a\0", 2))}, Separator::kNul), (Lines{mark + "a"}));
}

TEST_F(PathInputTest, ALongPathIsWhole) {
  const std::string path(300'000, 'x');
  EXPECT_EQ(all({file(path + "\nb\n")}), (Lines{path, "b"}));
}

TEST_F(PathInputTest, ALineThatIsNoPathIsCutAndCountsOnce) {
  for (const char* end : {"\nb\n", "\nb"}) {
    const auto lines = all({file("a\n" + std::string(5 * PathInput::kMaxPath, 'x') + end)});
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[1], std::string(PathInput::kMaxPath, 'x') + " (cut)");
    EXPECT_EQ(lines[2], "b");
  }
  EXPECT_EQ(all({file(std::string(3 * PathInput::kMaxPath, 'x'))}).size(), 1U);
}

TEST_F(PathInputTest, AMissingFileIsAnErrorAtOnce) {
  EXPECT_EQ(all({file("a\n"), "/nowhere/b"}),
            (Lines{"error: read /nowhere/b: No such file or directory"}));
}

TEST(PathInputOf, GivesEveryPathAsItIs) {
  const std::vector<std::string> paths{"/a\nb\r", "", "\xEF\xBB\xBF/c",
                                       std::string(PathInput::kMaxPath + 5, 'x'), "/d"};
  PathInput input = PathInput::of(paths);
  for (const std::string& path : paths) {
    EXPECT_FALSE(input.is_finished());
    const auto line = input.next();
    ASSERT_TRUE(line.has_value());
    EXPECT_EQ(line->text, path.substr(0, PathInput::kMaxPath));
    EXPECT_EQ(line->was_cut, path.size() > PathInput::kMaxPath);
  }
  EXPECT_TRUE(input.is_finished());
  EXPECT_FALSE(input.next().has_value());
}

}  // namespace
}  // namespace airlock
