#include "engine/retry/outgoing_text.h"

#include <gtest/gtest.h>

#include <vector>

namespace airlock {
namespace {

OutgoingText redact(std::string_view text, const std::vector<std::string>& paths = {}) {
  return OutgoingRedactor(paths).redact(text);
}
std::string redacted(std::string_view text) {
  return redact(text).text;
}

TEST(OutgoingText, UsersInPathsHaveNoNames) {
  EXPECT_EQ(redacted("/home/anna/data/a.csv"), "/home/user/data/a.csv");
  EXPECT_EQ(redacted("/Users/Anna Lee/x"), "/Users/user/x");
  EXPECT_EQ(redacted("/Users/anna/x"), "/Users/user/x");
  EXPECT_EQ(redacted(R"(C:\Users\Anna\x)"), R"(C:\Users\user\x)");
  EXPECT_EQ(redacted(R"("C:\\Users\\Anna\\x")"), R"("C:\\Users\\user\\x")");
  EXPECT_EQ(redacted("\"C:/Users/Anna/x\"\n\"/home/bob/y\""),
            "\"C:/Users/user/x\"\n\"/home/user/y\"");
}

TEST(OutgoingText, AUserOfThePathsIsNamedNowhere) {
  const std::vector<std::string> paths = {"/home/alice", "/Users/bobby/x", "~zoe/y.csv"};
  EXPECT_EQ(redact("int('alice'), \"bobby\", zoe, alicelike", paths).text,
            "int('user'), \"user\", user, alicelike");
}

TEST(OutgoingText, WhatIsNoUserStays) {
  for (const char* text : {"/data/home/x.csv", "/home/", "home/anna", "", "/srv/2024/Q1"})
    EXPECT_EQ(redacted(text), text);
  EXPECT_EQ(redact("/data/2024/a.csv").redactions, 0U);
  EXPECT_EQ(redact("/home/user/a.csv").redactions, 0U);
}

TEST(OutgoingText, SecretsBecomeFingerprints) {
  const OutgoingText outgoing = redact("/srv/AKIAIOSFODNN7EXAMPLE/x.csv");
  EXPECT_FALSE(outgoing.text.contains("AKIAIOSFODNN7EXAMPLE"));
  EXPECT_TRUE(outgoing.text.starts_with("/srv/<REDACTED:fingerprint="));
  EXPECT_TRUE(outgoing.text.ends_with("/x.csv"));
  EXPECT_EQ(outgoing.redactions, 1U);
}

}  // namespace
}  // namespace airlock
