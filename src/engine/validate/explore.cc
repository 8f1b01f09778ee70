#include "engine/validate/explore.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

#include "engine/validate/mutations.h"
#include "engine/validate/quality.h"

namespace airlock {

namespace {

// Limits that keep the whole of it near ten seconds, whatever the code does; see explore.h.
constexpr std::uint32_t kMaxTimeoutMs = 1000;
constexpr auto kBudget = std::chrono::seconds(10);
constexpr std::size_t kMaxTimeouts = 3;
constexpr std::size_t kMaxGroups = 12;  // kinds of failure that are shown

// By the code's hash: the same code meets the same paths each time.
std::uint64_t seed_of(const std::string& sha256) {
  std::uint64_t seed = 0;
  std::from_chars(sha256.data(), sha256.data() + std::min<std::size_t>(sha256.size(), 16), seed,
                  16);
  return seed;
}

// Foreign text for a warning, without quotes.
std::string bare(const std::string& text, std::size_t limit) {
  const std::string quoted = in_quotes(text, limit);
  return quoted.substr(1, quoted.size() - 2);
}

}  // namespace

void Exploration::add(const SampleResult& result) {
  ++tried_;
  if (result.success) return;
  std::string type = bare(result.error_type, 60);
  FailureGroup& group = groups_[{type, result.error_line}];
  // The shortest path is the clearest example.
  if (group.count++ > 0 && result.path.size() >= group.path_bytes) return;
  group.type = std::move(type);
  group.line = result.error_line;
  group.path_bytes = result.path.size();
  group.path = in_quotes(result.path, 100);
  group.error = bare(result.error, 160);
}

std::vector<std::string> Exploration::warnings() const {
  std::vector<const FailureGroup*> sorted;
  for (const auto& [key, group] : groups_) sorted.push_back(&group);
  // A denied call matters most, however rare.
  std::ranges::stable_sort(sorted, std::greater(), [](const FailureGroup* group) {
    return std::pair(group->type == "SandboxViolation", group->count);
  });
  std::vector<std::string> warnings;
  for (const FailureGroup* group : sorted) {
    if (warnings.size() == kMaxGroups) {
      warnings.push_back(fmt::format("Exploring: {} more kinds of failure are not shown",
                                     sorted.size() - kMaxGroups));
      break;
    }
    const std::string place = group->line > 0 ? fmt::format(" at line {}", group->line) : "";
    warnings.push_back(fmt::format("Exploring: {}{} on {} of {} mutated paths, for example {}: {}",
                                   group->type, place, group->count, tried_, group->path,
                                   group->error));
  }
  return warnings;
}

Result<std::vector<std::string>> explore(SampleRunner& runner, std::span<const std::string> samples,
                                         std::size_t count, const std::string& sha256,
                                         const RunLimits& limits) {
  const std::vector<std::string> paths = mutated_paths(samples, count, seed_of(sha256));
  RunLimits shorter = limits;
  shorter.timeout_ms = std::min(limits.timeout_ms, kMaxTimeoutMs);
  // A cell of its own: what the samples left behind in the other must not decide.
  runner.renew_cell(shorter);
  const auto start = std::chrono::steady_clock::now();
  Exploration explored;
  std::size_t timeouts = 0;
  for (const std::string& path : paths) {
    if (timeouts >= kMaxTimeouts || std::chrono::steady_clock::now() - start > kBudget) break;
    auto result = TRY(runner.run(path));
    timeouts += result.has_timed_out() ? 1 : 0;
    explored.add(result);
  }
  std::vector<std::string> warnings = explored.warnings();
  if (explored.tried() < paths.size()) {
    warnings.push_back(
        fmt::format("Exploring stopped early, out of time: {} of {} mutated paths were not tried",
                    paths.size() - explored.tried(), paths.size()));
  }
  return warnings;
}

}  // namespace airlock
