// `airlock validate` without its screen: text and sample paths in, one result out. The
// pipeline of the house: vet, run, judge what came out.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/guest_outcome.h"
#include "model/policy.h"
#include "model/validation.h"

namespace airlock {

struct ValidateRequest {
  std::string raw;
  std::vector<std::string> paths;
  Policy policy;
  RunLimits limits;
  bool scan = true;  // false: leave the security stage out; the chamber must hold alone
  std::string host_program;
};

// An Error: this host cannot give the isolation, or our own trouble. Nothing untrusted was run
// then.
Result<Validation> validate(const ValidateRequest& request);

// The text that a retry prompt carries.
std::string retry_context(const Validation& validation);

// Warnings about what came back: empty results, odd names, types that differ between samples, keys
// that are sometimes missing.
std::vector<std::string> quality_warnings(const std::vector<SampleResult>& results);

}  // namespace airlock
