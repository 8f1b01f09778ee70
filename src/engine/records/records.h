// What was recorded of earlier work, for the commands that show it: the cache and the runs. Reading
// from a store that does not exist gives an empty result and does not create it.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/cache_report.h"
#include "model/run_record.h"
#include "model/user_dirs.h"

namespace airlock {

// Sizes by probe, against the limits.
Result<CacheContents> show_cache(const UserDirs& user_dirs);
Result<CacheCleared> clear_cache(const UserDirs& user_dirs);
// Reads every entry and compares it with its hash; damaged ones are taken out.
Result<CacheVerified> verify_cache(const UserDirs& user_dirs);

// The newest first, at most `most`.
Result<std::vector<RunRecord>> list_runs(const UserDirs& user_dirs, std::size_t most);
// `id`: a run's name, or a beginning that only one has.
Result<RunRecord> show_run(const UserDirs& user_dirs, std::string_view id);

}  // namespace airlock
