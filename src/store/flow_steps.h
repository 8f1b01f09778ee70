// The steps of a flow's run, kept so that the run can be resumed. What a node said is kept only
// sanitized; a step whose entry would not be the same afterwards is kept without it.
//
// One FlowSteps for one thread; it borrows the database. The run itself is a row of Runs.
//
// node_hash and shared_hash tell whether a run may be resumed: a node that was changed since, or
// other beginnings, make the kept steps worthless. Durations are microseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/admitted.h"
#include "store/database.h"

namespace airlock::store {

struct FlowStepRecord {
  std::string node;
  std::string node_hash;  // of its type and parameters
  std::string action;
  std::int64_t duration_us = 0;
  std::optional<std::string> entry;  // JSON; nothing: it could not be kept
  std::string why_not;               // when it was not
};

class FlowSteps {
 public:
  explicit FlowSteps(Database& database) : database_(&database) {}

  // `shared_hash`: of the store that the flow began with.
  Result<void> begin(std::string_view run, std::string_view shared_hash);
  // `entry`: null when it cannot be kept. `record.entry` is not looked at.
  Result<void> add(std::string_view run, std::size_t number, const FlowStepRecord& record,
                   const Sanitized* entry);

  // Nothing: that run was not the run of a flow.
  Result<std::optional<std::string>> shared_hash(std::string_view run);
  Result<std::vector<FlowStepRecord>> steps(std::string_view run);

 private:
  Database* database_;
};

}  // namespace airlock::store
