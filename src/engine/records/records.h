// What was recorded of earlier work, for the commands that show it: the cache and the runs. Reading
// from a store that does not exist gives an empty result and does not create it.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/cache_report.h"
#include "model/places.h"
#include "model/run_record.h"

namespace airlock {

Result<CacheContents> show_cache(const Places& places);
Result<CacheCleared> clear_cache(const Places& places);
Result<CacheVerified> verify_cache(const Places& places);

// The newest first, at most `most`.
Result<std::vector<RunRecord>> list_runs(const Places& places, std::size_t most);
// `id`: a run's name, or a beginning that only one has.
Result<RunRecord> show_run(const Places& places, std::string_view id);

}  // namespace airlock
