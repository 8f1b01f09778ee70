#include "os/memory_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace airlock::os {
namespace {

void put(const MemoryFile& file, const std::string& text) {
  ASSERT_EQ(::write(file.descriptor(), text.data(), text.size()),
            static_cast<ssize_t>(text.size()));
}

TEST(MemoryFile, WritersAlwaysWriteAtTheEnd) {
  const auto file = MemoryFile::make("test");
  ASSERT_TRUE(file);
  put(*file, "one ");
  ::lseek(file->descriptor(), 0, SEEK_SET);
  put(*file, "two");
  EXPECT_EQ(file->beginning(100), "one two");
  EXPECT_EQ(file->beginning(3), "one");
}

TEST(MemoryFile, WhatIsForgottenIsStillCounted) {
  const auto file = MemoryFile::make("test");
  ASSERT_TRUE(file);
  constexpr std::size_t kKept = 8192;
  put(*file, std::string(kKept, 'a'));
  put(*file, std::string(1 << 20, 'b'));
  file->forget_after(kKept);
  EXPECT_EQ(file->size(), kKept + (1 << 20));
  EXPECT_EQ(file->beginning(kKept), std::string(kKept, 'a'));
  struct stat facts{};
  ASSERT_EQ(::fstat(file->descriptor(), &facts), 0);
  EXPECT_LE(facts.st_blocks * 512, 16384);
}

}  // namespace
}  // namespace airlock::os
