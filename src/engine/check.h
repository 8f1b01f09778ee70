// `airlock check` without its screen: files in, a CheckReport out. Starts vetters when there is
// something to vet, replaces one that dies, and uses several when there are many files.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/check_report.h"
#include "model/policy.h"

namespace airlock {

struct CheckRequest {
  std::vector<std::string> inputs;  // files, folders, "-" for standard input; in the order named
  Policy policy;
  Stages stages;
  std::string host_program;  // airlock-host
};

struct CheckOutcome {
  CheckReport report;
  std::vector<Error> unreadable;  // inputs that could not be read, each with a full sentence
};

// An Error: this host cannot give the isolation that vetting needs, or our own trouble; no code was
// read.
Result<CheckOutcome> check(const CheckRequest& request);

}  // namespace airlock
