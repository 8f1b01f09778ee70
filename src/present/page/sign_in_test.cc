#include "present/page/sign_in.h"

#include <gtest/gtest.h>

namespace airlock::page {
namespace {

TEST(SignInsTest, ALinkWorksOnce) {
  SignIns sign_ins;
  const std::string key = sign_ins.link_key();
  EXPECT_EQ(key.size(), 64u);
  const auto cookie = sign_ins.redeem(key, 1000);
  ASSERT_TRUE(cookie);
  EXPECT_FALSE(sign_ins.redeem(key, 1000));
  EXPECT_NE(sign_ins.link_key(), key);
  EXPECT_FALSE(sign_ins.redeem("", 1000));
  EXPECT_FALSE(sign_ins.redeem(*cookie, 1000));
  EXPECT_TRUE(sign_ins.redeem(sign_ins.link_key(), 1000));
  EXPECT_TRUE(sign_ins.find(*cookie, 1000));
}

TEST(SignInsTest, ACookieEndsAfterItsTimeOrWhenItIsGivenBack) {
  SignIns sign_ins;
  const std::string cookie = sign_ins.redeem(sign_ins.link_key(), 1000).value();
  EXPECT_TRUE(sign_ins.find(cookie, 1000 + SignIns::kLifeMs - 1));
  EXPECT_FALSE(sign_ins.find(cookie, 1000 + SignIns::kLifeMs));
  EXPECT_FALSE(sign_ins.find("", 1000));
  EXPECT_FALSE(sign_ins.find(cookie.substr(1), 1000));
  const auto before = sign_ins.find(cookie, 1000);
  EXPECT_EQ(before->form_token.size(), 64u);
  EXPECT_NE(before->form_token, cookie);
  sign_ins.remember_name(cookie, "Ann");
  EXPECT_EQ(sign_ins.find(cookie, 1000)->name, "Ann");
  sign_ins.sign_out(cookie);
  EXPECT_FALSE(sign_ins.find(cookie, 1000));
}

TEST(SignInsTest, ThereAreSoManyAtMost) {
  SignIns sign_ins;
  std::vector<std::string> cookies;
  for (std::size_t i = 0; i <= SignIns::kMost; ++i)
    cookies.push_back(sign_ins.redeem(sign_ins.link_key(), 1000).value());
  EXPECT_FALSE(sign_ins.find(cookies.front(), 1000));
  EXPECT_TRUE(sign_ins.find(cookies[1], 1000));
  EXPECT_TRUE(sign_ins.find(cookies.back(), 1000));
}

}  // namespace
}  // namespace airlock::page
