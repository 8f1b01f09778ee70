// Samples that are run again: the first one at the end in the same cell and in a fresh one, and, of
// code that makes sets, a few in a process whose sets are walked through in another order. The
// answers should be the same. When they are not, the code keeps state between calls, or depends on
// something other than the path.
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

// The same for the order of sets: `other_order` has the same code loaded.
Result<std::vector<std::string>> look_in_other_order(SampleRunner& other_order,
                                                     std::span<const SampleResult> results);

// The answers to one path.
struct Answers {
  const SampleResult& first;
  const SampleResult& again;  // at the end, in the same cell
  const SampleResult& fresh;  // in a fresh cell
};

// What to say about them. Pure.
std::vector<std::string> compare_answers(const Answers& answers);
std::vector<std::string> compare_orders(const SampleResult& usual, const SampleResult& other);

}  // namespace airlock
