// The first sample again, at the end in the same cell and in a fresh one: the answer should be the
// same. When it is not, the code keeps state between calls, or depends on something other than the
// path.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/sample_runner.h"

namespace airlock {

// After a run in which every sample was a success; leaves the runner with a fresh cell.
Result<std::vector<std::string>> second_look(SampleRunner& runner,
                                             std::span<const SampleResult> results,
                                             const RunLimits& limits);

// What to say about the first answer, the one at the end in the same cell, and the one of a fresh
// cell. Pure.
std::vector<std::string> compare_answers(const SampleResult& first, const SampleResult& again,
                                         const SampleResult& fresh);

}  // namespace airlock
