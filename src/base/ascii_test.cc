// Over every byte: a byte past ASCII is in no class and is never changed.
#include "base/ascii.h"

#include <gtest/gtest.h>

namespace airlock {
namespace {

constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kUpper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view kDigits = "0123456789";

TEST(Ascii, EveryByteIsInItsClassesAndInNoOther) {
  for (int value = 0; value < 256; ++value) {
    const char c = static_cast<char>(value);
    EXPECT_EQ(is_lower(c), kLower.contains(c)) << value;
    EXPECT_EQ(is_upper(c), kUpper.contains(c)) << value;
    EXPECT_EQ(is_digit(c), kDigits.contains(c)) << value;
    EXPECT_EQ(is_letter(c), is_lower(c) || is_upper(c)) << value;
    EXPECT_EQ(is_alnum(c), is_letter(c) || is_digit(c)) << value;
    EXPECT_EQ(is_hex_digit(c), std::string_view("0123456789abcdefABCDEF").contains(c)) << value;
    EXPECT_EQ(is_ascii(c), value < 128) << value;
    EXPECT_EQ(is_name_byte(c), is_alnum(c) || c == '_' || value >= 128) << value;
    EXPECT_EQ(lower(c), is_upper(c) ? kLower[kUpper.find(c)] : c) << value;
  }
}

TEST(Ascii, CaseIsIgnoredForLettersAlone) {
  EXPECT_TRUE(equal_ignoring_case("", ""));
  EXPECT_TRUE(equal_ignoring_case("Al203", "aL203"));
  EXPECT_FALSE(equal_ignoring_case("AL203", "AL20"));
  EXPECT_FALSE(equal_ignoring_case("[", "{")) << "differ in the bit that letters differ in";
  EXPECT_FALSE(equal_ignoring_case("\u00c4", "\u00e4")) << "no letters of ASCII";
}

}  // namespace
}  // namespace airlock
