// Names that look like those of secrets, their disguises, the exact list of exceptions, and that
// the quick look before the pattern hides no match.
#include "admit/secret_name.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include <random>

namespace airlock {
namespace {

TEST(SecretName, EveryWordOfThePatternIsRefusedInAnyCaseAndPlace) {
  const SecretNames names;
  for (const char* key :
       {"secret",     "clientSecret", "TOKEN",       "github_token",      "tokenizer",
        "dbPassword", "password1",    "credentials", "api_key",           "API-KEY",
        "apikey",     "x_apiKey_y",   "authtoken",   "auth-token",        "bearer",
        "Bearer_x",   "access_key",   "accessKey",   "AWS_ACCESS_KEY_ID", "private-key",
        "privatekeys"}) {
    EXPECT_TRUE(names.looks_secret(key)) << key;
  }
}

TEST(SecretName, OrdinaryNamesPass) {
  const SecretNames names;
  for (const char* key : {"", "key", "keys", "primary_key", "public_key", "api", "api key",
                          "apis_key", "pass", "passwd", "auth", "author", "access", "secre", "toke",
                          "decryption_steps", "path", "keyring"}) {
    EXPECT_FALSE(names.looks_secret(key)) << key;
  }
}

TEST(SecretName, TheAllowlistIsExact) {
  const SecretNames names;
  EXPECT_FALSE(names.looks_secret("references_secrets"));
  for (const char* key : {"References_Secrets", "references_secrets2", "references_secret",
                          " references_secrets", "references_secr\u200Bets"}) {
    EXPECT_TRUE(names.looks_secret(key)) << key;
  }
  for (const AllowedName& row : allowed_secret_names()) EXPECT_FALSE(row.why.empty()) << row.name;
}

TEST(SecretName, DisguisesAreSeenThrough) {
  const SecretNames names;
  for (const char* key :
       {"to\u00ADken", "pass\u200Bword", "ｓｅｃｒｅｔ", "api\u2011key", "t\u043Eken", "tökën",
        "\u202Esecret", "se\u0301cret", "𝓹𝓪𝓼𝓼𝔀𝓸𝓻𝓭", "pa\x01ssword"}) {
    EXPECT_TRUE(names.looks_secret(key)) << key;
  }
}

// The quick look before the pattern must never hide a match of it.
TEST(SecretName, TheQuickLookAgreesWithThePattern) {
  const SecretNames names;
  const re2::RE2 pattern{std::string(secret_name_pattern())};
  const std::vector<std::string> pieces = {
      "secret", "tok", "en",   "token", "pass", "word",   "cred",    "ential", "api", "_",
      "-",      "key", "auth", "bear",  "er",   "access", "private", "x",      "Key", "TOKEN"};
  std::mt19937 draw(5);
  for (int i = 0; i < 20000; ++i) {
    std::string key;
    for (auto n = draw() % 5; n > 0; --n) key += pieces[draw() % pieces.size()];
    ASSERT_EQ(names.looks_secret(key), re2::RE2::PartialMatch(key, pattern)) << key;
  }
}

}  // namespace
}  // namespace airlock
