#include "model/run_record.h"

#include <array>
#include <utility>

namespace airlock {

namespace {

constexpr std::array<std::pair<ExecutionStatus, std::string_view>, 4> kWords = {{
    {ExecutionStatus::kRan, "ran"},
    {ExecutionStatus::kCacheHit, "cache_hit"},
    {ExecutionStatus::kSkipped, "skipped"},
    {ExecutionStatus::kFailed, "failed"},
}};

}  // namespace

std::string_view to_string(ExecutionStatus status) {
  for (const auto& [known, word] : kWords) {
    if (known == status) return word;
  }
  return "failed";
}

std::optional<ExecutionStatus> execution_status(std::string_view word) {
  for (const auto& [status, known] : kWords) {
    if (known == word) return status;
  }
  return std::nullopt;
}

}  // namespace airlock
