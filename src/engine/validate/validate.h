// `airlock validate` without its output: source text and sample paths in, one Validation out.
//
// The pipeline, in order (validate.cc reads the same way):
//   1. A vetter process judges the text while a chamber (a warm interpreter) starts. A resident
//      engine has both already (engine/load/supply.h).
//   2. Accepted code is loaded into one cell, which runs it on every sample path.
//   3. If every sample succeeded, some samples are run again (rerun_samples.h) and the results are
//      checked for likely mistakes (quality.h); `explore` adds mutated paths (explore.h).
//   4. If the code is not valid, `retry_context` says what a model may be told about it.
//
// Trust: `raw` and everything a cell sends are hostile. The supervisor never runs the code and
// never reads an answer except through engine/load/read_answer.h. Results of all samples together
// are capped at 64 MiB, so a guest cannot fill the supervisor's memory.
//
// Failure: code that is refused or fails is a Validation with `valid == false`, not an Error. Steps
// 3 and 4 never turn an invalid extractor into a valid one; step 3 makes a valid one invalid only
// if a system call is denied, or an answer cannot be read, in a repeated run.
//
// Threads: everything runs on the calling thread, including `on_progress`. `stop` may be requested
// from any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/load/supply.h"
#include "model/guest_outcome.h"
#include "model/policy.h"
#include "model/text_kind.h"
#include "model/validation.h"

namespace airlock {

// Where a validation stands: said whenever that changes, on the thread that called validate().
struct ValidateProgress {
  Stage stage = Stage::kSyntax;  // the one at work; the ones before have passed
  std::size_t done = 0;          // samples
  std::size_t total = 0;
};

// Only `raw`, `paths`, `policy` and `host_program` (or `supply`) must be given.
struct ValidateRequest {
  std::string raw;
  TextKind kind = TextKind::kAnswer;
  std::vector<std::string> paths;
  Policy policy;
  RunLimits limits;
  std::size_t explore = 0;  // how many mutated sample paths to try when all samples passed
  bool scan = true;         // false: leave the security stage out; the chamber must hold alone
  std::string host_program;
  std::function<void(const ValidateProgress&)> on_progress;  // may be empty
  std::stop_token stop = {};  // ends the sample that runs; an Error then
  // Those paths that were sent to a model, in the form in which they were sent. They are run first,
  // and the others in another cell: what `retry_context` tells is what a cell gave that has seen
  // nothing but them. Empty: every path counts as sent.
  std::vector<std::string> sent = {};
  // After so many samples that ran out of time the rest is left out, and has no result; 0: never.
  std::size_t most_timeouts = 0;
  Supply* supply = nullptr;  // null: processes of its own, from `host_program`
};

// An Error: this host cannot give the isolation, or our own trouble. Nothing untrusted was run
// then.
Result<Validation> validate(const ValidateRequest& request);

}  // namespace airlock
