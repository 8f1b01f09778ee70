// What a bulk job runs, whatever it is and wherever it comes from: a Python file, a rule file, or
// an approved extractor, whose receipt is checked before anything else.
#pragma once

#include <expected>
#include <functional>
#include <string>

#include "engine/bulk/extract.h"
#include "present/cli/program.h"

namespace airlock::cli {

struct WorkRequest {
  std::string extractor;    // a file, or the name of an approved extractor
  std::string policy = {};  // empty: the usual one
  RunLimits limits = {};
  std::size_t jobs = 0;  // 0: one for each core
};

struct Work {
  std::string shown;  // for people: the file, or "sales@2"
  std::string sha256;
  std::string policy;
  RunLimits limits = {};
  // Once.
  std::function<Result<JobEnd>(PathInput&, const Share&, RowSink&, const Watcher&)> run;
};

// An Error: it cannot be run, and nothing was. What is wrong with its text is said by then.
Result<Work> prepare_work(const WorkRequest& request, const Environment& environment);

}  // namespace airlock::cli
