#include "engine/outgoing_text.h"

#include <gtest/gtest.h>

namespace airlock {
namespace {

std::string redacted(std::string_view text) {
  return redact_outgoing(text).text;
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

TEST(OutgoingText, WhatIsNoUserStays) {
  for (const char* text :
       {"/data/home/x.csv", "/home/", "/home/x", "home/anna", "", "/srv/2024/Q1"})
    EXPECT_EQ(redacted(text), text);
  EXPECT_EQ(redact_outgoing("/data/2024/a.csv").redactions, 0U);
  EXPECT_EQ(redact_outgoing("/home/user/a.csv").redactions, 0U);
}

TEST(OutgoingText, SecretsBecomeFingerprints) {
  const OutgoingText outgoing = redact_outgoing("/srv/AKIAIOSFODNN7EXAMPLE/x.csv");
  EXPECT_FALSE(outgoing.text.contains("AKIAIOSFODNN7EXAMPLE"));
  EXPECT_TRUE(outgoing.text.starts_with("/srv/<REDACTED:fingerprint="));
  EXPECT_TRUE(outgoing.text.ends_with("/x.csv"));
  EXPECT_EQ(outgoing.redactions, 1U);
}

}  // namespace
}  // namespace airlock
