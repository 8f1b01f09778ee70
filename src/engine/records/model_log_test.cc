#include "engine/records/model_log.h"

#include <gtest/gtest.h>

#include "base/sha256.h"
#include "base/utf8.h"

namespace airlock {
namespace {

ModelCall logged(std::string sent) {
  ModelExchange exchange;
  exchange.sent = std::move(sent);
  return logged_form(exchange);
}

TEST(ModelLog, KeepsAHashAndABeginningCutBetweenCharacters) {
  std::string sent;
  for (int i = 0; i < 600; ++i) sent += "\xc3\xbc";
  const ModelCall call = logged(sent);
  EXPECT_EQ(call.sent_sha256, sha256_hex(sent));
  EXPECT_EQ(call.sent_bytes, 1200);
  EXPECT_EQ(count_code_points(call.sent_start), kLoggedCharacters);
  EXPECT_FALSE(find_invalid_utf8(call.sent_start));
  EXPECT_EQ(call.answer_sha256, "");
}

TEST(ModelLog, KeepsNoSecretNotEvenHalfOfOne) {
  const std::string token = "ghp_" + std::string("a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
  for (const std::size_t before : {std::size_t{0}, std::size_t{480}}) {
    const ModelCall call = logged(std::string(before, '.') + " " + token + " end");
    EXPECT_EQ(call.sent_start.find(token.substr(0, 12)), std::string::npos) << call.sent_start;
  }
}

TEST(ModelLog, KeepsNothingThatATerminalObeys) {
  const ModelCall call = logged("a\x1b[2J\r\n\xe2\x80\xae\xff tail");
  EXPECT_EQ(call.sent_start, "a\\x1b[2J\\r\n<U+202E>\xef\xbf\xbd tail");
}

}  // namespace
}  // namespace airlock
