#include "engine/records/records.h"

#include <string>

#include "engine/records/with_store.h"
#include "os/disk.h"
#include "store/cache.h"
#include "store/clock.h"
#include "store/runs.h"
#include "store/state_folder.h"

namespace airlock {

namespace {

template <typename T, typename Work>
Result<T> with_cache(const UserDirs& user_dirs, Result<T> nothing, Work work) {
  return with_store<T>(user_dirs, std::move(nothing), [&](store::Database& database) -> Result<T> {
    os::Disk disk;
    const store::Clock clock;
    auto cache = TRY(store::Cache::open(database, disk, clock));
    return work(cache);
  });
}

}  // namespace

Result<CacheContents> show_cache(const UserDirs& user_dirs) {
  const auto folder = TRY(store::state_folder(user_dirs));
  const store::CacheLimits limits;
  return with_cache<CacheContents>(user_dirs,
                                   CacheContents{.folder = folder + "/cache",
                                                 .most_bytes = limits.most_bytes,
                                                 .most_age_ms = limits.most_age_ms,
                                                 .by_probe = {}},
                                   [](store::Cache& cache) { return cache.show(); });
}

Result<CacheCleared> clear_cache(const UserDirs& user_dirs) {
  return with_cache<CacheCleared>(user_dirs, CacheCleared{},
                                  [](store::Cache& cache) { return cache.clear(); });
}

Result<CacheVerified> verify_cache(const UserDirs& user_dirs) {
  return with_cache<CacheVerified>(user_dirs, CacheVerified{},
                                   [](store::Cache& cache) { return cache.verify(); });
}

Result<std::vector<RunRecord>> list_runs(const UserDirs& user_dirs, std::size_t most) {
  return with_store<std::vector<RunRecord>>(
      user_dirs, std::vector<RunRecord>{},
      [&](store::Database& database) { return store::Runs(database, store::Clock()).list(most); });
}

Result<RunRecord> show_run(const UserDirs& user_dirs, std::string_view id) {
  return with_store<RunRecord>(
      user_dirs, bad_request("there is no run '" + std::string(id) + "': none was recorded yet"),
      [&](store::Database& database) { return store::Runs(database, store::Clock()).show(id); });
}

}  // namespace airlock
