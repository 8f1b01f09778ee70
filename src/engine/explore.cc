#include "engine/explore.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>
#include <utility>

#include "engine/mutations.h"
#include "engine/quality.h"

namespace airlock {

namespace {

constexpr std::uint32_t kMaxTimeoutMs = 1000;
constexpr auto kBudget = std::chrono::seconds(10);
constexpr std::size_t kMaxTimeouts = 3;
constexpr std::size_t kMaxGroups = 12;

std::uint64_t seed_of(const std::string& sha256) {
  std::uint64_t seed = 0;
  std::from_chars(sha256.data(), sha256.data() + std::min<std::size_t>(sha256.size(), 16), seed,
                  16);
  return seed;
}

struct Failures {
  std::size_t count = 0;
  const SampleResult* example = nullptr;
};

}  // namespace

std::vector<std::string> summarise_exploration(std::span<const SampleResult> results) {
  std::map<std::pair<std::string, std::uint32_t>, Failures> groups;
  for (const SampleResult& one : results) {
    if (one.success) continue;
    Failures& group = groups[{one.error_type, one.error_line}];
    ++group.count;
    // The shortest path says most.
    if (group.example == nullptr || one.path.size() < group.example->path.size())
      group.example = &one;
  }
  std::vector<std::pair<std::pair<std::string, std::uint32_t>, Failures>> sorted(groups.begin(),
                                                                                 groups.end());
  std::ranges::stable_sort(sorted, std::greater(),
                           [](const auto& row) { return row.second.count; });
  std::vector<std::string> warnings;
  for (const auto& [what, group] : sorted) {
    if (warnings.size() == kMaxGroups) {
      warnings.push_back(fmt::format("Exploring: {} more kinds of failure are not shown",
                                     sorted.size() - kMaxGroups));
      break;
    }
    std::string type = in_quotes(what.first, 60);
    type = type.substr(1, type.size() - 2);
    std::string message = in_quotes(group.example->error, 160);
    message = message.substr(1, message.size() - 2);
    const std::string place = what.second > 0 ? fmt::format(" at line {}", what.second) : "";
    warnings.push_back(fmt::format("Exploring: {}{} on {} of {} mutated paths, for example {}: {}",
                                   type, place, group.count, results.size(),
                                   in_quotes(group.example->path, 100), message));
  }
  return warnings;
}

Result<std::vector<std::string>> explore(SampleRunner& runner, std::span<const std::string> samples,
                                         std::size_t count, const std::string& sha256,
                                         const RunLimits& limits) {
  const std::vector<std::string> paths = mutated_paths(samples, count, seed_of(sha256));
  RunLimits shorter = limits;
  shorter.timeout_ms = std::min(limits.timeout_ms, kMaxTimeoutMs);
  runner.renew_cell(shorter);
  const auto start = std::chrono::steady_clock::now();
  std::vector<SampleResult> results;
  std::size_t timeouts = 0;
  for (const std::string& path : paths) {
    if (timeouts >= kMaxTimeouts || std::chrono::steady_clock::now() - start > kBudget) break;
    auto result = runner.run(path);
    if (!result) return std::unexpected(std::move(result).error());
    timeouts += result->error_type == "TimeoutError" ? 1 : 0;
    results.push_back(std::move(*result));
  }
  std::vector<std::string> warnings = summarise_exploration(results);
  if (results.size() < paths.size()) {
    warnings.push_back(
        fmt::format("Exploring stopped early, out of time: {} of {} mutated paths were not tried",
                    paths.size() - results.size(), paths.size()));
  }
  return warnings;
}

}  // namespace airlock
