// What probes said, kept by key: an index in the Database, the bytes as Blobs beside it
// (<folder>/cache). Only what the sanitizer made gets in.
//
// Nothing that is wrong with an entry is an error to whoever asks for it: a blob that is missing,
// cut, altered, a link or unreadable is a miss, and its entry is dropped. Several processes use one
// cache; of two that put the same key the last one wins. Killed at any point, a process leaves at
// most a file that belongs to no entry, which verify() and clear() remove.
//
// One Cache for one thread. It borrows the database, the disk and the clock.
//
// A key is made by the caller (probe/) from everything that the answer depends on; nothing here
// looks into it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/admitted.h"
#include "model/cache_report.h"
#include "os/disk.h"
#include "store/blobs.h"
#include "store/clock.h"
#include "store/database.h"

namespace airlock::store {

struct CacheLimits {
  std::int64_t most_bytes = std::int64_t{1} << 30;                    // 1 GiB
  std::int64_t most_age_ms = std::int64_t{30} * 24 * 60 * 60 * 1000;  // 30 days without use
};

class Cache {
 public:
  static Result<Cache> open(Database& database, os::Disk& disk, const Clock& clock,
                            const CacheLimits& limits = {});

  // The bytes, or nothing: never there, too old, or damaged.
  std::optional<std::string> get(std::string_view key);

  // An error is the disk's or the database's (full, locked), or bytes beyond the whole cache's
  // limit; the cache is then as it was. Whoever puts goes on without it.
  Result<void> put(std::string_view key, std::string_view probe, const Sanitized& value);
  // The same for a file that came with it.
  Result<void> put(std::string_view key, std::string_view probe, const RedactedFile& file);

  Result<CacheContents> show();
  // Everything goes, files that belong to no entry too.
  Result<CacheCleared> clear();
  // Reads every blob; what is damaged or belongs to no entry is listed and removed.
  Result<CacheVerified> verify();

 private:
  Result<void> put_bytes(std::string_view key, std::string_view probe, std::string_view bytes);

  // Times in ms since 1970; `blob` is the hash of the bytes.
  struct CacheRow {
    std::string key, blob, probe;
    std::int64_t size = 0, created = 0, last_used = 0;
  };

  Cache(Database& database, Blobs blobs, const Clock& clock, const CacheLimits& limits);

  Result<std::optional<CacheRow>> find(std::string_view key);
  Result<void> drop(const CacheRow& row);
  Result<void> drop_all(const std::vector<CacheRow>& rows);
  Result<void> note_use(const CacheRow& row);
  Result<void> insert(std::string_view key, std::string_view probe, const std::string& blob,
                      std::int64_t size);
  Result<void> evict(std::string_view just_put);
  Result<std::vector<CacheRow>> rows(const char* order);
  Result<bool> is_used(const std::string& blob);
  Result<void> remove_if_unused(const std::string& blob);

  Database* database_;
  Blobs blobs_;
  const Clock* clock_;
  CacheLimits limits_;
};

}  // namespace airlock::store
