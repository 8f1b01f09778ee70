// The first look at the paths, with no model: what a rule can say, whether a rule is enough, and
// the layouts that a program could be put together from. It also writes the prompt that a model
// would get, so that the consent screen can show it before anything is sent. Called by the
// session's worker (session.cc) at the start and after each new hint. Pure.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "llm/model.h"
#include "model/policy.h"
#include "wizard/machine.h"
#include "wizard/python_writer.h"

namespace airlock::wizard {

struct AnalysisRequest {
  std::vector<std::string> samples;
  std::string hint;
  std::string name;
  std::vector<PatternRow> patterns;  // of an analysis before: what to ignore
};

struct Analysis {
  Analyzed event;
  std::vector<ProgramLayout> layouts;  // with what is computed in each
  std::vector<std::string> missing;    // computed fields that were asked for and cannot be had
  llm::Prompt prompt;
};

// An Error: inference could not work with these paths.
Result<Analysis> analyze(const AnalysisRequest& request, const Policy& policy);

// A program from the layouts; an Error when the recipes have nothing for what was asked.
Result<std::string> assemble_program(const Analysis& analysis, bool wants_computed);

}  // namespace airlock::wizard
