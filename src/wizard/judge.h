// What was written, judged: a program by the whole pipeline of `airlock validate` after a try to
// mend it locally, a rule by reading it and matching the sample paths.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/policy.h"
#include "wizard/machine.h"

namespace airlock::wizard {

struct JudgeRequest {
  OutputKind kind = OutputKind::kPython;
  std::string text;
  std::vector<std::string> samples;
  Policy policy;
  std::string host_program;
  bool repairs = true;  // not what a person wrote: it is theirs
  std::function<void(const Progress&)> on_progress;
  std::stop_token stop;
};

// An Error: nothing was run, because this host cannot give the walls.
Result<Judged> judge_text(const JudgeRequest& request);

}  // namespace airlock::wizard
