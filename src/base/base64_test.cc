// The vectors of RFC 4648, and every byte.
#include "base/base64.h"

#include <gtest/gtest.h>

namespace airlock {
namespace {

TEST(Base64, IsTheOneOfTheStandard) {
  const std::pair<const char*, const char*> cases[] = {{"", ""},
                                                       {"f", "Zg=="},
                                                       {"fo", "Zm8="},
                                                       {"foo", "Zm9v"},
                                                       {"foob", "Zm9vYg=="},
                                                       {"fooba", "Zm9vYmE="},
                                                       {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : cases) EXPECT_EQ(base64(bytes), text);
  EXPECT_EQ(base64(std::string("\x00\xff\x80\xfb\xf0", 5)), "AP+A+/A=");
}

}  // namespace
}  // namespace airlock
