// A run of probes over a repository, as it is kept: what happened, never what was said. Findings
// are fingerprints.
// Kept in the database by store/runs, shown by `airlock runs`. What probes found lies in the cache;
// here are only names, times, keys and sanitized reasons.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace airlock {

enum class ExecutionStatus { kRan, kCacheHit, kSkipped, kFailed };

// "ran", "cache_hit", "skipped", "failed": in the database and in JSON.
std::string_view to_string(ExecutionStatus status);
std::optional<ExecutionStatus> execution_status(std::string_view word);

struct RecordedSecret {
  std::string fingerprint;
  std::string pattern;  // its name
};

struct ExecutionRecord {
  std::string probe;
  ExecutionStatus status = ExecutionStatus::kRan;
  // Of the entry in the cache, where there is one.
  std::optional<std::string> key;
  std::optional<std::string> reason;  // sanitized
  std::int64_t duration_ms = 0;
  std::vector<RecordedSecret> findings;
};

struct RunRecord {
  std::string id;
  std::int64_t started = 0;              // ms since 1970
  std::optional<std::int64_t> finished;  // nothing: still running, or it was killed
  std::string repository;                // its name only
  std::string task;
  std::vector<ExecutionRecord> executions;  // in the order in which they ended
};

}  // namespace airlock
