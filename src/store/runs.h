// The record of runs. A run is begun, gets one execution for each probe, and is finished; each step
// is kept at once, so a run that was killed shows how far it came.
//
// One Runs for one thread; it borrows the database and the clock.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/run_record.h"
#include "store/clock.h"
#include "store/database.h"

namespace airlock::store {

class Runs {
 public:
  Runs(Database& database, const Clock& clock) : database_(&database), clock_(&clock) {}

  // The id of the new run. Of `repository` only the last part is kept: where it lies on this host
  // is nobody's business.
  Result<std::string> begin(std::string_view repository, std::string_view task);
  // The execution with its findings, or nothing of it. A probe has one execution in a run.
  Result<void> add(std::string_view run, const ExecutionRecord& execution);
  Result<void> finish(std::string_view run);

  // The newest first.
  Result<std::vector<RunRecord>> list(std::size_t most);
  // One with everything. `id`: the whole of it, or a beginning that only one run has.
  Result<RunRecord> show(std::string_view id);

 private:
  Result<std::string> whole_id(std::string_view beginning);
  Result<std::vector<ExecutionRecord>> executions_of(std::string_view run);
  Result<std::vector<RecordedSecret>> findings_of(std::int64_t execution);
  Result<void> insert(std::string_view run, const ExecutionRecord& execution);

  Database* database_;
  const Clock* clock_;
};

}  // namespace airlock::store
