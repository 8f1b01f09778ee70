#include "store/key_table.h"

#include <sys/stat.h>

#include <fstream>

#include "store/extractor_table.h"
#include "support/temporary_store.h"

namespace airlock::store {
namespace {

// The table knows nothing of curves: any function of the seed is a public half to it.
std::string fake_public_key(std::string_view seed) {
  return "public " + std::string(seed.substr(0, 4));
}

class KeysTest : public test::TableTest<Keys> {
 protected:
  Result<KnownKey> trust(const std::string& key, const std::string& name) {
    return table_->trust({.public_key = key, .name = name, .why = "because"});
  }
  std::string own_key() { return fake_public_key(table_->own_seed(fake_public_key)->bytes()); }
  std::filesystem::path seed() const { return std::filesystem::path(folder_) / "airlock.key"; }
  std::string seed_trouble() {
    const auto made = table_->own_seed(fake_public_key);
    return made ? "" : made.error().message;
  }
};

TEST_F(KeysTest, NobodyIsKnownBeforeAPersonSaysSo) {
  EXPECT_TRUE(table_->list()->empty());
  EXPECT_FALSE(table_->find("a").value());
  EXPECT_FALSE(std::filesystem::exists(seed()));
}

TEST_F(KeysTest, ATrustedKeyHasNameTimeAndReason) {
  ASSERT_TRUE(trust("a", "anna"));
  const auto known = table_->find("a").value();
  ASSERT_TRUE(known);
  EXPECT_EQ(known->name, "anna");
  EXPECT_EQ(known->why, "because");
  EXPECT_FALSE(known->revoked);
  EXPECT_FALSE(known->is_own);
  EXPECT_NEAR(static_cast<double>(known->trusted), static_cast<double>(clock_.now()), 60000);
}

TEST_F(KeysTest, ANameMeansOneKeyAndAKeyHasOneName) {
  ASSERT_TRUE(trust("a", "anna"));
  EXPECT_TRUE(trust("a", "anna"));
  EXPECT_FALSE(trust("a", "other"));
  EXPECT_FALSE(trust("b", "anna"));
  EXPECT_EQ(table_->list()->size(), 1u);
  ASSERT_TRUE(table_->revoke("a", "lost"));
  EXPECT_TRUE(trust("b", "anna"));
}

TEST_F(KeysTest, RevokedIsForEver) {
  ASSERT_TRUE(trust("a", "anna"));
  const auto first = table_->revoke("a", "lost").value();
  clock_.ahead = test::kHour;
  const auto second = table_->revoke("a", "other").value();
  EXPECT_EQ(second.key.revoked, first.key.revoked);
  EXPECT_EQ(second.key.revoked_why, "lost");
  const auto again = trust("a", "anna");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().kind, ErrorKind::kRefused);
  EXPECT_NE(again.error().message.find("lost"), std::string::npos);
}

TEST_F(KeysTest, AKeyThatWasNeverTrustedCanBeRevoked) {
  ASSERT_TRUE(table_->revoke("z", ""));
  EXPECT_FALSE(trust("z", "zoe"));
}

TEST_F(KeysTest, WhatCameWithARevokedKeyIsNamedAndMarked) {
  Extractors extractors(*database_, clock_);
  ApprovedExtractor one{.name = "sales", .signed_by = "a", .came_as = "x@7"};
  EXPECT_FALSE(extractors.add(one, nullptr));  // the key is not known
  EXPECT_TRUE(extractors.list()->empty());
  ASSERT_TRUE(trust("a", "anna"));
  ASSERT_TRUE(extractors.add(one, nullptr));
  ASSERT_TRUE(extractors.add({.name = "mine"}, nullptr));
  EXPECT_FALSE(extractors.find("sales", {}).value()->is_signer_revoked);
  EXPECT_EQ(extractors.find("sales", {}).value()->came_as, "x@7");
  EXPECT_EQ(table_->revoke("a", "").value().extractors, std::vector<std::string>{"sales@1"});
  EXPECT_TRUE(extractors.find("sales", {}).value()->is_signer_revoked);
  EXPECT_FALSE(extractors.find("mine", {}).value()->is_signer_revoked);
  EXPECT_FALSE(extractors.add(one, nullptr));
}

TEST_F(KeysTest, TheOwnKeyIsMadeOnceAndPrivate) {
  const std::string key = own_key();
  EXPECT_EQ(own_key(), key);
  struct stat about{};
  ASSERT_EQ(::stat(seed().c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600u);
  EXPECT_EQ(about.st_size, 22 + 64 + 1);
  const auto known = table_->list().value();
  ASSERT_EQ(known.size(), 1u);
  EXPECT_TRUE(known[0].is_own);
  EXPECT_EQ(known[0].public_key, key);
  // Not a byte of the private half is in the database.
  std::ifstream file(std::filesystem::path(folder_) / "airlock.db", std::ios::binary);
  const std::string database((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(database.find("signing key"), std::string::npos);
}

TEST_F(KeysTest, RevokingTheOwnKeyRemovesItAndTheNextIsAnother) {
  const std::string key = own_key();
  ASSERT_TRUE(table_->revoke(key, "copied"));
  EXPECT_FALSE(std::filesystem::exists(seed()));
  EXPECT_NE(own_key(), key);
}

TEST_F(KeysTest, AFileOfARevokedKeySignsNothing) {
  const std::string key = own_key();
  std::filesystem::copy_file(seed(), top_ / "copy");
  ASSERT_TRUE(table_->revoke(key, "copied"));
  std::filesystem::copy_file(top_ / "copy", seed());
  EXPECT_NE(seed_trouble().find("was revoked"), std::string::npos);
}

TEST_F(KeysTest, AKeyFileThatOthersCanReadOrWriteIsRefused) {
  own_key();
  for (const mode_t mode : {0640, 0604, 0660, 0602}) {
    ::chmod(seed().c_str(), mode);
    EXPECT_NE(seed_trouble().find("others can"), std::string::npos) << mode;
  }
}

TEST_F(KeysTest, LinksAndWhatIsNoKeyAreRefusedAndStay) {
  own_key();
  std::filesystem::rename(seed(), top_ / "elsewhere");
  std::filesystem::create_symlink(top_ / "elsewhere", seed());
  EXPECT_NE(seed_trouble().find("symbolic link"), std::string::npos);
  std::filesystem::remove(seed());
  std::filesystem::create_symlink(top_ / "nowhere", seed());
  EXPECT_NE(seed_trouble().find("symbolic link"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(top_ / "nowhere"));
  std::filesystem::remove(seed());
  std::filesystem::create_hard_link(top_ / "elsewhere", seed());
  EXPECT_NE(seed_trouble().find("second name"), std::string::npos);
  std::filesystem::remove(seed());
  std::filesystem::create_directory(seed());
  EXPECT_FALSE(seed_trouble().empty());
  std::filesystem::remove(seed());
  for (const std::string_view text : {"", "airlock signing key 1\n", "ffff"}) {
    std::ofstream(seed(), std::ios::trunc) << text;
    ::chmod(seed().c_str(), 0600);
    EXPECT_NE(seed_trouble().find("damaged"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace airlock::store
