// Runs samples again and compares the answers: the first sample once more at the end in the same
// cell and once in a fresh cell; and, for code that uses sets, a few samples in a process whose
// sets iterate in another order.
//
// Different answers mean that the code keeps state between calls, or depends on something other
// than the path. Each cause becomes a warning; warnings never make a valid extractor invalid. Two
// things are violations instead, as in any run: a system call that is denied only now, and an
// answer that cannot be read.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/validate/sample_runner.h"

namespace airlock {

// What differed between runs, in words, and which fields it was about.
struct Differences {
  std::vector<std::string> warnings;
  std::vector<std::string> fields;  // that the warnings are about
  bool is_about_order = false;      // of the fields, not their values
};

// A sample that succeeded at first and has to count as failed.
struct LateViolation {
  std::size_t sample = 0;  // its place among the results
  SampleResult result;     // what stands there from now on
};

// Either there is a violation, or perhaps differences.
struct RerunReport {
  Differences differences;
  std::optional<LateViolation> violation;  // nothing more was run then
};

// After a run in which every sample was a success; leaves the runner with a fresh cell.
Result<RerunReport> rerun_samples(SampleRunner& runner, std::span<const SampleResult> results,
                                  const RunLimits& limits);

// The same for the order of sets: `other_order` has the same code loaded. What is `known` to differ
// for another reason says nothing about orders.
Result<RerunReport> rerun_in_other_order(SampleRunner& other_order,
                                         std::span<const SampleResult> results, Differences known);

// What a cell did after its last answer (SampleRunner::renew_cell), attributed to this sample.
std::optional<LateViolation> late_violation_of(std::optional<SampleResult> late,
                                               std::span<const SampleResult> results,
                                               std::size_t sample);

// The answers to one path.
struct RerunAnswers {
  const SampleResult& first;
  const SampleResult& again;  // at the end, in the same cell
  const SampleResult& fresh;  // in a fresh cell
};

// What to say about them. Pure.
Differences compare_answers(const RerunAnswers& answers);
Differences compare_orders(const SampleResult& usual, const SampleResult& other,
                           const Differences& known);

}  // namespace airlock
