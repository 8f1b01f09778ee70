#include "engine/approve/judge_draft.h"

#include <algorithm>
#include <chrono>

#include "base/sha256.h"
#include "engine/bulk/rule_rows.h"
#include "engine/policy/policy_file.h"
#include "rules/file/rule_file.h"
#include "rules/match/matcher.h"

namespace airlock {

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

SampleResult try_sample(const rules::Matcher& matcher, const std::string& path) {
  const auto start = Clock::now();
  SampleResult sample;
  sample.path = path;
  rules::Match match;
  sample.success = matcher.match(path, match);
  if (sample.success) {
    append_json_data(sample.result, match);
  } else {
    sample.error_type = "NoMatchError";
    sample.error = matcher.describe_mismatch(match);
  }
  sample.milliseconds = milliseconds_since(start);
  return sample;
}

// Fills the same report as for a program, so that screens and retry texts need not tell them apart.
JudgedDraft judge_rule(const DraftJudgeRequest& request) {
  const auto start = Clock::now();
  JudgedDraft judged{.kind = OutputKind::kYaml, .text = request.text};
  judged.validation.sha256 = sha256_hex(request.text);
  judged.validation.verdict.code = request.text;
  auto file = rules::read_rule_file(request.text);
  if (!file) {
    judged.problems = std::move(file.error());
    judged.validation.retry_context = why_invalid(judged);
    return judged;
  }
  const rules::Matcher matcher(*std::move(file));
  for (const std::string& path : request.samples)
    judged.validation.results.push_back(try_sample(matcher, path));
  judged.validation.has_results = true;
  judged.valid = std::ranges::all_of(judged.validation.results, &SampleResult::success);
  judged.validation.valid = judged.valid;
  judged.validation.stage_reached = judged.valid ? Stage::kComplete : Stage::kSandbox;
  if (!judged.valid) judged.validation.retry_context = why_invalid(judged);
  judged.validation.elapsed_ms = milliseconds_since(start);
  return judged;
}

Result<JudgedDraft> judge_python(const DraftJudgeRequest& request) {
  auto policy = TRY(request.loaded_policy == nullptr ? load_extractor_policy(request.policy)
                                                     : Result<Policy>(*request.loaded_policy));
  auto validation = TRY(validate({.raw = request.text,
                                  .kind = request.text_kind,
                                  .paths = request.samples,
                                  .policy = std::move(policy),
                                  .limits = {},
                                  // No exploration: a person looks at the samples' rows, and at
                                  // nothing else.
                                  .explore = 0,
                                  .scan = true,
                                  .host_program = request.host_program,
                                  .on_progress = request.on_progress,
                                  .stop = request.stop,
                                  .supply = request.supply}));
  JudgedDraft judged{.kind = OutputKind::kPython,
                     .valid = validation.valid,
                     .text = validation.verdict.code,
                     .validation = {}};
  judged.validation = std::move(validation);
  return judged;
}

}  // namespace

Result<JudgedDraft> judge_draft(const DraftJudgeRequest& request) {
  if (request.kind == OutputKind::kYaml) return judge_rule(request);
  return judge_python(request);
}

// The first reason in the order of the stages: reading, vetting, running.
std::string why_invalid(const JudgedDraft& judged) {
  if (judged.valid) return {};
  if (!judged.problems.empty()) {
    const rules::RuleFileProblem& first = judged.problems.front();
    return "line " + std::to_string(first.line) + ": " + first.message;
  }
  for (const Finding& finding : judged.validation.verdict.findings) {
    if (finding.severity == Severity::kError)
      return "line " + std::to_string(finding.place.line) + ": " + finding.message;
  }
  for (const SampleResult& sample : judged.validation.results) {
    if (!sample.success) return sample.path + ": " + sample.error_type + ": " + sample.error;
  }
  return "it is refused";
}

}  // namespace airlock
