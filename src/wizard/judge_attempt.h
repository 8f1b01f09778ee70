// What was written, judged by the same judge that approval asks (engine/approve/judge_draft.h for a
// rule, engine/validate/validate.h for a program): what passes here passes there, since a draft
// keeps the samples that it was judged with. A program is mended locally first where that is
// possible.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/policy.h"
#include "wizard/machine.h"

namespace airlock::wizard {

struct JudgeTextRequest {
  OutputKind kind = OutputKind::kPython;
  std::string text;
  std::vector<std::string> samples;
  Policy policy;
  std::string host_program;
  // Whose text it is: what a person wrote is not mended, and only what inference wrote says which
  // paths are unlike the rest.
  Author author = Author::kTemplates;
  std::vector<std::string> set_aside = {};  // samples that a rule need not match
  // The paths that a model was sent, in the form in which they were sent (wizard/prompts.h); of the
  // others a retry tells it nothing. Empty: no model.
  std::vector<std::string> sent = {};
  std::function<void(const WizardProgress&)> on_progress;
  std::stop_token stop;
};

// An Error: nothing was run, because this host cannot give the walls.
Result<TextJudged> judge_text(const JudgeTextRequest& request);

// The samples that a text of this kind is tried on and that its draft keeps.
std::vector<std::string> tried_samples(OutputKind kind, const std::vector<std::string>& samples,
                                       const std::vector<std::string>& set_aside);

}  // namespace airlock::wizard
