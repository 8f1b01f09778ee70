#include "present/http/token.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace airlock::http {
namespace {

class TokenTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "airlock-token-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& text, mode_t mode = 0600) {
    std::string path = folder_ + "/token";
    std::ofstream(path) << text;
    ::chmod(path.c_str(), mode);
    return path;
  }

  std::string folder_;
};

TEST(Token, OnlyTheWholeTokenIsTheToken) {
  const Token token("0123456789abcdef");
  EXPECT_TRUE(token.is("0123456789abcdef"));
  for (const char* said : {"", "0", "0123456789abcde", "0123456789abcdef0", "0123456789abcdeg",
                           "1123456789abcdef", "0123456789ABCDEF"})
    EXPECT_FALSE(token.is(said)) << said;
}

TEST(Token, AHeaderCarriesItBehindItsScheme) {
  EXPECT_EQ(Token::in_header("Bearer abc"), "abc");
  EXPECT_EQ(Token::in_header("bearer   abc"), "abc");
  for (const char* header :
       {"", "Bearer", "Bearerabc", "Basic abc", "abc", "Bearer a b", "Bearer a,b"})
    EXPECT_EQ(Token::in_header(header), "") << header;
}

TEST_F(TokenTest, AFileHoldsOneTokenForItsOwner) {
  const auto token = Token::read(file("0123456789abcdef\n"));
  ASSERT_TRUE(token);
  EXPECT_TRUE(token->is("0123456789abcdef"));
  token->forget();  // not ours to take away
  EXPECT_TRUE(std::filesystem::exists(token->file()));
}

TEST_F(TokenTest, WhatOthersCanReadOrIsNoneIsRefused) {
  EXPECT_FALSE(Token::read(file("0123456789abcdef\n", 0640)));
  for (const std::string text :
       {"", "short", "0123456789 abcdef", "0123456789abcdef\nmore lines here"})
    EXPECT_FALSE(Token::read(file(text))) << text;
  EXPECT_FALSE(Token::read(file(std::string(5000, 'a'))));
  EXPECT_FALSE(Token::read(folder_ + "/none"));
  EXPECT_FALSE(Token::read(folder_));
}

TEST_F(TokenTest, ANewOneIsInAFileOfItsOwnAndGoesWithTheServer) {
  const UserDirs dirs{.airlock_home = folder_ + "/state"};
  const auto token = Token::make(dirs, 8080);
  ASSERT_TRUE(token) << token.error().message;
  struct stat about{};
  ASSERT_EQ(::stat(token->file().c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600);
  EXPECT_TRUE(token->file().starts_with(folder_ + "/state/airlock."));
  const auto next = Token::make(dirs, 8080);
  ASSERT_TRUE(next);
  token->forget();  // the file has the next one's by now
  EXPECT_TRUE(std::filesystem::exists(next->file()));
  next->forget();
  EXPECT_FALSE(std::filesystem::exists(next->file()));
}

}  // namespace
}  // namespace airlock::http
