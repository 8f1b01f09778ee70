// `airlock validate` without its screen: text and sample paths in, one result out. The
// pipeline of the house: vet, run, judge what came out.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
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
  std::stop_token stop = {};  // asked between two samples; an Error then
  // Those paths that were sent to a model, in the form in which they were sent. They are run first,
  // and the others in another cell: what `retry_context` tells is what a cell gave that has seen
  // nothing but them. Empty: every path counts as sent.
  std::vector<std::string> sent = {};
  // After so many samples that ran out of time the rest is left out, and has no result; 0: never.
  std::size_t most_timeouts = 0;
};

// An Error: this host cannot give the isolation, or our own trouble. Nothing untrusted was run
// then.
Result<Validation> validate(const ValidateRequest& request);

}  // namespace airlock
