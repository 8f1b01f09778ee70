// `--explore N`: the code on mutated sample paths. What breaks becomes warnings, one for each place
// in the code; nothing here makes a valid extractor invalid.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "engine/sample_runner.h"

namespace airlock {

// Needs at most about ten seconds whatever the code does: each path has at most one second, and
// after a few that ran out of time the rest is left.
Result<std::vector<std::string>> explore(SampleRunner& runner, std::span<const std::string> samples,
                                         std::size_t count, const std::string& sha256,
                                         const RunLimits& limits);

// Failures grouped by what was raised and where. Pure.
std::vector<std::string> summarise_exploration(std::span<const SampleResult> results);

}  // namespace airlock
