// The log of questions to models. Rows that are too old, and the oldest beyond a number, go when a
// new one is written.
//
// One ModelCalls for one thread; it borrows the database and the clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/model_call.h"
#include "store/clock.h"
#include "store/database.h"

namespace airlock::store {

struct ModelCallLimits {
  // 90 days.
  std::int64_t most_age_ms = std::int64_t{90} * 24 * 60 * 60 * 1000;
  std::int64_t most_rows = 10000;
};

class ModelCalls {
 public:
  ModelCalls(Database& database, const Clock& clock) : database_(&database), clock_(&clock) {}

  // Keeps it under a new id, which is returned, and drops what the limits no longer allow.
  Result<std::string> add(const ModelCall& call, const ModelCallLimits& limits);

  // The newest first.
  Result<std::vector<ModelCall>> list(std::size_t most);
  // The oldest first, one at a time.
  Result<void> each(const std::function<Result<void>(const ModelCall&)>& take);
  // `id`: the whole of it, or a beginning that only one has.
  Result<ModelCall> show(std::string_view id);
  // How many were older and are gone.
  Result<std::int64_t> prune(std::int64_t most_age_ms);

 private:
  Result<std::string> insert(const ModelCall& call);
  Result<std::int64_t> remove_older(std::int64_t than);
  Result<void> remove_beyond(std::int64_t most_rows);

  Database* database_;
  const Clock* clock_;
};

}  // namespace airlock::store
