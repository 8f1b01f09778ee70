// The result of `airlock validate`, as programs read it: which stages the code passed, and what it
// gave for each sample. engine/validate fills it, present/report prints it as text and JSON, and
// engine/retry writes the next prompt from it. Everything in a SampleResult has passed the inner
// door.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/cell_answer.h"
#include "model/guest_outcome.h"
#include "model/verdict.h"

namespace airlock {

struct SampleResult {
  std::string path;
  bool success = false;
  std::string result;  // JSON object, when it is a success
  std::string error;
  std::string error_type;
  std::uint32_t error_line = 0;
  std::vector<TraceLine> trace;
  std::string output;
  std::string error_output;
  double milliseconds = 0;

  bool has_timed_out() const { return is_timeout(error_type); }
};

struct Validation {
  bool valid = false;
  Stage stage_reached = Stage::kSyntax;
  std::optional<std::string> retry_context;
  // One for each sample, in order; empty when the stages before refused.
  std::vector<SampleResult> results;
  // What samples gave in the form in which they were sent to somebody, where that is not all of
  // them: nothing else goes into a retry.
  std::optional<std::vector<SampleResult>> sent_results;
  // The stage with samples was reached: `results` is to be shown, even when it is empty.
  bool has_results = false;
  bool was_scanned = true;  // false: the security stage was left out
  std::vector<std::string> quality_warnings;
  Verdict verdict;
  std::string sha256;
  // Names of the walls that stood around the run (jail/walls.cc).
  std::vector<std::string> walls;
  double elapsed_ms = 0;
};

}  // namespace airlock
