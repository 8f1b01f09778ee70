// Judges a rule or a program on its samples before it is kept; one question for both kinds. A
// program goes through the whole of engine/validate. A rule is data: it must parse without a
// problem and match every sample, and is matched in this process.
//
// Called before a draft is kept, and again when it is approved.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/validate/validate.h"
#include "model/draft.h"
#include "model/policy.h"
#include "rules/file/yaml_tree.h"

namespace airlock {

struct DraftJudgeRequest {
  OutputKind kind = OutputKind::kPython;
  std::string text = {};
  TextKind text_kind = TextKind::kAnswer;
  std::vector<std::string> samples = {};
  std::string policy = {};                // a name or a file; Python only
  const Policy* loaded_policy = nullptr;  // what `policy` names, where the caller has read it
  std::string host_program = {};
  std::function<void(const ValidateProgress&)> on_progress = {};
  Supply* supply = nullptr;   // may be null: processes of its own
  std::stop_token stop = {};  // ends the sample that runs; an Error then
};

struct JudgedDraft {
  OutputKind kind = OutputKind::kPython;
  bool valid = false;
  std::string text = {};       // what would be kept: of Python the cleaned code
  Validation validation = {};  // of a rule only `results`, `valid` and `stage_reached`
  std::vector<rules::RuleFileProblem> problems = {};  // of a rule that cannot be read
};

// An Error: this host cannot give the isolation, or our own trouble. Nothing untrusted was run
// then.
Result<JudgedDraft> judge_draft(const DraftJudgeRequest& request);

// The first lines of why it is not valid, for people who see no report.
std::string why_invalid(const JudgedDraft& judged);

}  // namespace airlock
