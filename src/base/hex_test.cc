#include "base/hex.h"

#include <gtest/gtest.h>

namespace airlock {
namespace {

TEST(Hex, EveryByteComesBack) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  EXPECT_EQ(hex_of("\x01\xff"), "01ff");
  EXPECT_EQ(bytes_of_hex(hex_of(bytes)), bytes);
  EXPECT_EQ(bytes_of_hex(""), "");
}

TEST(Hex, OnlyOneFormIsRead) {
  for (const std::string_view text : {"0", "0A", "0g", " 00", "0x00", "00\n"})
    EXPECT_EQ(bytes_of_hex(text), std::nullopt) << text;
  EXPECT_TRUE(is_hex_of("00ff", 4));
  EXPECT_FALSE(is_hex_of("00ff", 2));
  EXPECT_FALSE(is_hex_of("00FF", 4));
}

}  // namespace
}  // namespace airlock
