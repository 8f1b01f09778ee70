// What a probe says about itself, and what is asked of it: the questions as JSON that
// library/airlock understands inside the cell, and its answers, hostile until read here. Sizes,
// depth and every type are checked; an Error is the probe's mistake, in words for its author. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/raw_outcome.h"

namespace airlock::probe {

// Base probes run first and may add to what the others see of the repository.
enum class ProbeTier { kBase, kTaskSpecific };

// A probe's description, as its class declares it.
struct ProbeInfo {
  std::string name;
  std::string version;
  std::string schema_version;
  std::string layer;
  ProbeTier tier = ProbeTier::kTaskSpecific;
  std::vector<std::string> applies_to_tasks;
  std::vector<std::string> applies_to_languages;
  std::vector<std::string> requires_probes;
  std::vector<std::string> declared_inputs;
  // For run(); the user's --timeout may be shorter.
  std::uint32_t timeout_ms = 300'000;
  bool is_cached = true;
  bool asks = true;  // has an applies() or a cache_key() of its own, which must be asked
};

// The repository as probes see it.
struct Snapshot {
  std::optional<std::string> git_commit;
  std::map<std::string, std::uint64_t> detected_languages;  // bytes
};

// What the user wants to know the repository for; probes may apply to some tasks only.
struct ProbeTask {
  std::string type = "default";
};

// Where things stand inside the cell.
inline constexpr std::string_view kRepositoryPlace = "/repository";
inline constexpr std::string_view kOutputPlace = "/output";
inline constexpr std::string_view kWorkspacePlace = "/workspace";

// The text of a question.
std::string ask_describe(const ProbeTask& task);
std::string ask_applies(const Snapshot& snapshot, const ProbeTask& task);
std::string ask_run(const Snapshot& snapshot, const ProbeTask& task);

// An Error says in which way the probe does not keep the contract.
Result<ProbeInfo> read_description(std::string_view answer);
// What read_description() reads: a description that is kept.
std::string write_description(const ProbeInfo& info);
// `cache_key`: what the probe adds to its own key; any text.
struct Applies {
  bool applies = false;
  std::string cache_key;
};
Result<Applies> read_applies(std::string_view answer);

// What run() gave, as the cell tells it.
struct ProbeOutput {
  RawDocument document;              // empty when something is refused
  std::vector<std::string> refused;  // "JSONValueError: bytes at (schema_slice, a, 0)"
};
// An Error: it is neither an output nor a refusal that the library wrote.
Result<ProbeOutput> read_output(const RawDocument& answer);

}  // namespace airlock::probe
