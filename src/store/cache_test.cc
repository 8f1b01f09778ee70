#include "store/cache.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <type_traits>

#include "base/sha256.h"
#include "support/temporary_store.h"

namespace airlock::store {
namespace {

namespace fs = std::filesystem;
using test::kHour;
using test::sanitized;

// Nobody but the sanitizer (and these tests) makes what the cache takes.
static_assert(!std::is_constructible_v<Sanitized, std::string>);
static_assert(!std::is_default_constructible_v<Sanitized>);
static_assert(!std::is_convertible_v<std::string, Sanitized>);

class CacheTest : public test::StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    database_.emplace(Database::open(folder_).value());
    open({});
  }
  void open(const CacheLimits& limits) {
    cache_.emplace(Cache::open(*database_, disk_, clock_, limits).value());
  }
  void put(const std::string& key, const std::string& bytes, const std::string& probe = "p") {
    const auto done = cache_->put(key, probe, sanitized(bytes));
    EXPECT_TRUE(done) << done.error().message;
  }
  fs::path blob(const std::string& bytes) const {
    const std::string hash = sha256_hex(bytes);
    return fs::path(folder_) / "cache/blobs" / hash.substr(0, 2) / hash;
  }
  std::int64_t entries() { return cache_->show().value().entries; }

  // A miss, the entry gone, and a new put heals it.
  void expect_miss_that_heals(const std::string& key, const std::string& bytes) {
    EXPECT_FALSE(cache_->get(key));
    EXPECT_EQ(entries(), 0);
    put(key, bytes);
    EXPECT_EQ(cache_->get(key), bytes);
  }

  std::optional<Database> database_;
  std::optional<Cache> cache_;
};

TEST_F(CacheTest, WhatWasPutIsFoundAgain) {
  EXPECT_FALSE(cache_->get("k"));
  const std::string bytes("a\0b\xff", 4);
  put("k", bytes);
  put("empty", "");
  EXPECT_EQ(cache_->get("k"), bytes);
  EXPECT_EQ(cache_->get("empty"), "");
  EXPECT_FALSE(cache_->get("K"));
}

TEST_F(CacheTest, TheLastPutWins) {
  put("k", "one");
  put("k", "two");
  EXPECT_EQ(cache_->get("k"), "two");
  EXPECT_EQ(entries(), 1);
}

TEST_F(CacheTest, FilesAndFoldersAreForThisUserAlone) {
  put("k", "value");
  for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
    struct stat facts{};
    ASSERT_EQ(::lstat(entry.path().c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777, entry.is_directory() ? 0700u : 0600u) << entry.path();
  }
  EXPECT_TRUE(fs::exists(blob("value")));
  EXPECT_TRUE(fs::is_empty(folder_ + "/cache/new"));
}

TEST_F(CacheTest, AMissingBlobIsAMiss) {
  put("k", "value");
  fs::remove(blob("value"));
  expect_miss_that_heals("k", "value");
  fs::remove_all(blob("value").parent_path());
  expect_miss_that_heals("k", "value");
}

TEST_F(CacheTest, AnyOtherByteOrLengthIsAMiss) {
  for (const char* altered : {"valuE", "val", "value!", ""}) {
    put("k", "value");
    std::ofstream(blob("value"), std::ios::binary) << altered;
    expect_miss_that_heals("k", "value");
  }
}

TEST_F(CacheTest, ALinkIsAMissEvenToTheSameBytes) {
  put("k", "value");
  std::ofstream(top_ / "same") << "value";
  fs::remove(blob("value"));
  fs::create_symlink(top_ / "same", blob("value"));
  expect_miss_that_heals("k", "value");
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(blob("value"))));
  EXPECT_TRUE(fs::exists(top_ / "same"));
}

TEST_F(CacheTest, ALinkedFolderIsAMissAndNothingIsWrittenThroughIt) {
  put("k", "value");
  fs::rename(blob("value").parent_path(), top_ / "moved");
  fs::create_directory_symlink(top_ / "moved", blob("value").parent_path());
  EXPECT_FALSE(cache_->get("k"));
  fs::remove(top_ / "moved" / blob("value").filename());
  const auto done = cache_->put("k", "p", sanitized("value"));
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find("symbolic link"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(top_ / "moved"));
  EXPECT_EQ(cache_->verify().value().removed.size(), 1u);
  put("k", "value");
  EXPECT_EQ(cache_->get("k"), "value");
  EXPECT_TRUE(fs::is_empty(top_ / "moved"));
}

TEST_F(CacheTest, AFolderOrAPipeInPlaceOfABlobIsAMiss) {
  put("k", "value");
  fs::remove(blob("value"));
  ASSERT_EQ(::mkfifo(blob("value").c_str(), 0600), 0);
  expect_miss_that_heals("k", "value");
  fs::remove(blob("value"));
  fs::create_directory(blob("value"));
  EXPECT_FALSE(cache_->get("k"));
  EXPECT_EQ(cache_->verify().value().removed.size(), 1u);
  put("k", "value");
  EXPECT_EQ(cache_->get("k"), "value");
}

TEST_F(CacheTest, AnIndexThatWasTamperedWithLeadsNowhere) {
  put("k", "value");
  std::ofstream(top_ / "victim") << "value";
  for (const char* claim : {"blob = '../../../victim'", "blob = ''", "size = -1", "size = 1 << 60",
                            "blob = '..'", "blob = NULL || 'x'"}) {
    put("k", "value");
    [[maybe_unused]] const auto claimed =
        database_->run((std::string("UPDATE cache SET ") + claim).c_str());
    const auto found = cache_->get("k");
    EXPECT_TRUE(!found || found == "value") << claim;
  }
  ASSERT_TRUE(database_->run("UPDATE cache SET blob = '../../../victim'"));
  open({.most_bytes = 1});
  [[maybe_unused]] const auto kept = cache_->put("l", "p", sanitized("x"));
  EXPECT_TRUE(cache_->verify());
  EXPECT_TRUE(fs::exists(top_ / "victim"));
}

TEST_F(CacheTest, ALostIndexIsAMiss) {
  put("k", "value");
  ASSERT_TRUE(database_->run("DROP TABLE cache"));
  EXPECT_FALSE(cache_->get("k"));
  EXPECT_FALSE(cache_->put("k", "p", sanitized("value")));
}

TEST_F(CacheTest, WhatWasUsedLastStaysWhenThereIsTooMuch) {
  open({.most_bytes = 1000});
  for (const char* key : {"a", "b", "c"}) {
    put(key, std::string(300, *key));
    clock_.ahead += kHour;
  }
  EXPECT_TRUE(cache_->get("a"));
  clock_.ahead += kHour;
  put("d", std::string(300, 'd'));
  EXPECT_TRUE(cache_->get("a"));
  EXPECT_FALSE(cache_->get("b"));
  EXPECT_TRUE(cache_->get("d"));
  EXPECT_FALSE(fs::exists(blob(std::string(300, 'b'))));
  EXPECT_LE(cache_->show().value().bytes, 1000);
}

TEST_F(CacheTest, AClockThatWasSetBackCostsNothingThatIsJustPut) {
  open({.most_bytes = 1000});
  clock_.ahead = 1000 * kHour;
  for (const char* key : {"a", "b", "c"}) put(key, std::string(300, *key));
  clock_.ahead = 0;
  put("d", std::string(300, 'd'));
  EXPECT_TRUE(cache_->get("d"));
  clock_.ahead = 1;
  put("e", std::string(300, 'e'));
  EXPECT_TRUE(cache_->get("e"));
}

TEST_F(CacheTest, WhatNobodyUsedForLongGoes) {
  open({.most_age_ms = 10 * kHour});
  put("old", "1");
  put("used", "2");
  clock_.ahead += 9 * kHour;
  EXPECT_TRUE(cache_->get("used"));
  clock_.ahead += 2 * kHour;
  EXPECT_FALSE(cache_->get("old"));
  EXPECT_TRUE(cache_->get("used"));
  put("new", "3");
  EXPECT_EQ(entries(), 2);
  EXPECT_FALSE(fs::exists(blob("1")));
}

TEST_F(CacheTest, WhatIsLargerThanTheCacheIsRefusedInWords) {
  open({.most_bytes = 10});
  const auto done = cache_->put("k", "p", sanitized("12345678901"));
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find("at most 10"), std::string::npos);
}

TEST_F(CacheTest, ABlobOfTwoKeysStaysForTheSecond) {
  open({.most_bytes = 1000});
  put("a", std::string(400, 'x'));
  clock_.ahead += kHour;
  put("b", std::string(400, 'x'));
  put("c", std::string(400, 'c'));
  EXPECT_FALSE(cache_->get("a"));
  EXPECT_EQ(cache_->get("b"), std::string(400, 'x'));
}

TEST_F(CacheTest, ShowCountsByProbe) {
  put("a", "12345", "small");
  put("b", std::string(100, 'b'), "large");
  put("c", std::string(100, 'c'), "large");
  const CacheContents contents = cache_->show().value();
  EXPECT_EQ(contents.entries, 3);
  EXPECT_EQ(contents.bytes, 205);
  ASSERT_EQ(contents.by_probe.size(), 2u);
  EXPECT_EQ(contents.by_probe[0].probe, "large");
  EXPECT_EQ(contents.by_probe[0].entries, 2);
}

TEST_F(CacheTest, ClearRemovesEverything) {
  put("a", "1");
  put("b", "22");
  std::ofstream(blob("1").parent_path() / "orphan") << "x";
  const CacheCleared cleared = cache_->clear().value();
  EXPECT_EQ(cleared.entries, 2);
  EXPECT_EQ(cleared.bytes, 3);
  EXPECT_EQ(entries(), 0);
  for (const auto& entry : fs::recursive_directory_iterator(folder_ + "/cache/blobs"))
    EXPECT_TRUE(entry.is_directory()) << entry.path();
  put("a", "1");
  EXPECT_EQ(cache_->get("a"), "1");
}

TEST_F(CacheTest, VerifyListsAndRemovesWhatIsWrong) {
  for (const char* key : {"good", "missing", "altered", "linked"}) put(key, key);
  fs::remove(blob("missing"));
  std::ofstream(blob("altered")) << "Altered";
  fs::remove(blob("linked"));
  fs::create_symlink(blob("good"), blob("linked"));
  std::ofstream(blob("good").parent_path() / "orphan") << "x";
  std::ofstream(folder_ + "/cache/new/half") << "x";
  const CacheVerified first = cache_->verify().value();
  EXPECT_EQ(first.sound, 1);
  const auto count = [&](CacheDamage damage) {
    return std::ranges::count(first.removed, damage, &DamagedEntry::damage);
  };
  EXPECT_EQ(count(CacheDamage::kMissing), 1);
  EXPECT_EQ(count(CacheDamage::kAltered), 1);
  EXPECT_EQ(count(CacheDamage::kNotAFile), 1);
  EXPECT_EQ(count(CacheDamage::kOrphaned), 1);
  EXPECT_EQ(count(CacheDamage::kUnfinished), 0);  // somebody may be writing it
  clock_.ahead += 2 * kHour;
  const CacheVerified second = cache_->verify().value();
  EXPECT_EQ(second.sound, 1);
  ASSERT_EQ(second.removed.size(), 1u);
  EXPECT_EQ(second.removed[0].damage, CacheDamage::kUnfinished);
  EXPECT_TRUE(cache_->verify().value().removed.empty());
  EXPECT_EQ(cache_->get("good"), "good");
}

TEST_F(CacheTest, ALinkedCacheFolderIsRefused) {
  fs::rename(folder_ + "/cache", top_ / "moved");
  fs::create_directory_symlink(top_ / "moved", folder_ + "/cache");
  const auto cache = Cache::open(*database_, disk_, clock_);
  ASSERT_FALSE(cache);
  EXPECT_NE(cache.error().message.find("symbolic link"), std::string::npos);
}

}  // namespace
}  // namespace airlock::store
