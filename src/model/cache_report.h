// What `airlock cache` says about the cache of probe results: plain values, filled by store/cache
// and printed by present/. Sizes are bytes, times milliseconds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace airlock {

struct CacheShare {
  std::string probe;
  std::int64_t entries = 0;
  std::int64_t bytes = 0;
};

struct CacheContents {
  std::string folder;
  std::int64_t entries = 0;
  std::int64_t bytes = 0;
  std::int64_t most_bytes = 0;       // more than that, and the longest unused go
  std::int64_t most_age_ms = 0;      // unused for longer than that, and it goes
  std::vector<CacheShare> by_probe;  // largest first
};

struct CacheCleared {
  std::int64_t entries = 0;
  std::int64_t bytes = 0;
};

// kMissing: an entry without its file; kAltered: the bytes are not those of the entry's hash;
// kOrphaned: a file without an entry; kUnfinished: a write that a crash has cut short.
enum class CacheDamage { kMissing, kAltered, kNotAFile, kUnreadable, kOrphaned, kUnfinished };

struct DamagedEntry {
  CacheDamage damage = CacheDamage::kMissing;
  std::string key;    // "" when no entry is concerned: a file that belongs to none
  std::string probe;  // as key
  std::string file;   // below the folder of the cache
};

struct CacheVerified {
  std::int64_t sound = 0;             // entries that are whole
  std::vector<DamagedEntry> removed;  // and what was not
};

}  // namespace airlock
