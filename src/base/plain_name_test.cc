#include "base/plain_name.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace airlock {
namespace {

TEST(PlainName, IsTheNameThatAReaderSees) {
  EXPECT_EQ(plain_name("API_Key"), "api_key");
  EXPECT_EQ(plain_name("ｔｏｋｅｎ"), "token");             // full width
  EXPECT_EQ(plain_name("𝐭𝓸𝗸𝚎𝐧"), "token");                  // mathematical
  EXPECT_EQ(plain_name("ⓣⓞⓚⓔⓝ"), "token");                  // circled
  EXPECT_EQ(plain_name("🆃🅾🅺🅴🅽"), "token");                  // boxed
  EXPECT_EQ(plain_name("tökën"), "token");                  // accents
  EXPECT_EQ(plain_name("to\u0308ken"), "token");            // the same, as a mark of its own
  EXPECT_EQ(plain_name("t\u043Eken"), "token");             // a Cyrillic o
  EXPECT_EQ(plain_name("ᴛᴏᴋᴇɴ"), "token");                  // small capitals
  EXPECT_EQ(plain_name("api\u2010key"), "api-key");         // another hyphen
  EXPECT_EQ(plain_name("pa\u017F\u017Fword"), "password");  // long s
}

TEST(PlainName, HasNothingInvisible) {
  for (const char* hidden :
       {"\u00AD", "\u200B", "\u200D", "\u2060", "\uFEFF", "\u202E", "\u180E", "\u3164", "\u115F",
        "\uFE0F", "\u034F", "\U000E0041", "\u2800", "\x01", "\x7F", "\n"}) {
    EXPECT_EQ(plain_name(std::string("to") + hidden + "ken"), "token");
  }
}

TEST(PlainName, LeavesOtherScriptsAlone) {
  EXPECT_EQ(plain_name("日付"), "日付");
  EXPECT_EQ(plain_name("straße"), "strasse");
}

TEST(PlainName, DropsBytesThatAreNotText) {
  EXPECT_EQ(plain_name("to\xFFken\xC3"), "token");
}

TEST(PlainName, AppliedTwiceChangesNothingMore) {
  for (char32_t value = 0; value < 0x20000; ++value) {
    if (value >= 0xD800 && value < 0xE000) continue;
    std::string text;
    for (const char32_t one : {char32_t{97}, value, char32_t{122}}) append_utf8(text, one);
    const std::string once = plain_name(text);
    ASSERT_EQ(plain_name(once), once) << "U+" << std::hex << static_cast<unsigned>(value);
  }
}

}  // namespace
}  // namespace airlock
