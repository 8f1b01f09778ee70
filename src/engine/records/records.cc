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
Result<T> with_cache(const Places& places, Result<T> nothing, Work work) {
  return with_store<T>(places, std::move(nothing), [&](store::Database& database) -> Result<T> {
    os::Disk disk;
    const store::Clock clock;
    auto cache = TRY(store::Cache::open(database, disk, clock));
    return work(cache);
  });
}

}  // namespace

Result<CacheContents> show_cache(const Places& places) {
  const auto folder = TRY(store::state_folder(places));
  const store::CacheLimits limits;
  return with_cache<CacheContents>(places,
                                   CacheContents{.folder = folder + "/cache",
                                                 .most_bytes = limits.most_bytes,
                                                 .most_age_ms = limits.most_age_ms,
                                                 .by_probe = {}},
                                   [](store::Cache& cache) { return cache.show(); });
}

Result<CacheCleared> clear_cache(const Places& places) {
  return with_cache<CacheCleared>(places, CacheCleared{},
                                  [](store::Cache& cache) { return cache.clear(); });
}

Result<CacheVerified> verify_cache(const Places& places) {
  return with_cache<CacheVerified>(places, CacheVerified{},
                                   [](store::Cache& cache) { return cache.verify(); });
}

Result<std::vector<RunRecord>> list_runs(const Places& places, std::size_t most) {
  return with_store<std::vector<RunRecord>>(
      places, std::vector<RunRecord>{},
      [&](store::Database& database) { return store::Runs(database, store::Clock()).list(most); });
}

Result<RunRecord> show_run(const Places& places, std::string_view id) {
  return with_store<RunRecord>(
      places, fail("there is no run '" + std::string(id) + "': none was recorded yet"),
      [&](store::Database& database) { return store::Runs(database, store::Clock()).show(id); });
}

}  // namespace airlock
