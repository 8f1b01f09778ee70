#include "probe/cache_key.h"

#include <gtest/gtest.h>

#include <set>

namespace airlock::probe {
namespace {

ProbeInfo info(std::string name, std::string version = "1", std::string schema = "1") {
  ProbeInfo info;
  info.name = std::move(name);
  info.version = std::move(version);
  info.schema_version = std::move(schema);
  return info;
}

TEST(CacheKey, ChangesWithEveryPart) {
  const std::set<std::string> keys = {
      cache_key(info("a"), "source", "inputs", "own", {}),
      cache_key(info("b"), "source", "inputs", "own", {}),
      cache_key(info("a", "2"), "source", "inputs", "own", {}),
      cache_key(info("a", "1", "2"), "source", "inputs", "own", {}),
      cache_key(info("a"), "source ", "inputs", "own", {}),
      cache_key(info("a"), "source", "other", "own", {}),
      cache_key(info("a"), "source", "inputs", "", {}),
  };
  EXPECT_EQ(keys.size(), 7U);
}

TEST(CacheKey, PartsCannotRunIntoEachOther) {
  EXPECT_NE(cache_key(info("a", "12", "3"), "", "", "", {}),
            cache_key(info("a", "1", "23"), "", "", "", {}));
  EXPECT_NE(cache_key(info("a"), "x", "y", "", {}), cache_key(info("a"), "xy", "", "", {}));
  EXPECT_NE(cache_key(info("a"), "", "1:x", "", {}), cache_key(info("a"), "1:x", "", "", {}));
}

TEST(CacheKey, CountsWhatTheSourceLooksAt) {
  const Snapshot now{"abc", {{"Python", 1}}};
  for (const char* source : {"repo.git_commit", "repo.detected_languages"})
    EXPECT_NE(cache_key(info("a"), source, "", "", now), cache_key(info("a"), source, "", "", {}));
  EXPECT_EQ(cache_key(info("a"), "repo.root", "", "", now),
            cache_key(info("a"), "repo.root", "", "", {}));
}

TEST(CacheKey, IsTheSameForTheSame) {
  EXPECT_EQ(cache_key(info("a"), "s", "i", "o", {}), cache_key(info("a"), "s", "i", "o", {}));
  EXPECT_EQ(cache_key(info("a"), "s", "i", "o", {}).size(), 64U);
}

}  // namespace
}  // namespace airlock::probe
