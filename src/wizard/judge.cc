#include "wizard/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/printable.h"
#include "base/utf8.h"
#include "engine/quality.h"
#include "engine/retry_context.h"
#include "engine/row_parts.h"
#include "engine/rule_rows.h"
#include "engine/validate.h"
#include "model/source_line.h"
#include "rules/matcher.h"
#include "rules/rule_file.h"
#include "wizard/repair.h"

namespace airlock::wizard {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostSamples = 200;  // that a program is tried on
constexpr std::size_t kMostTimeouts = 2;   // what hangs twice hangs
constexpr std::size_t kMostPreview = 20;
constexpr std::size_t kMostFindings = 6;
constexpr std::size_t kLongestLine = 300;

double since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::string one_line(std::string_view text) {
  return printable(cut_utf8(text, kLongestLine));
}

std::vector<std::string> spread(const std::vector<std::string>& samples, std::size_t most) {
  std::vector<std::string> some;
  const std::size_t count = std::min(samples.size(), most);
  for (std::size_t i = 0; i < count; ++i) some.push_back(samples[i * samples.size() / count]);
  return some;
}

// ---- programs

// What failed, for a person: the first failure with its line, or the first findings.
std::string problem_of(const Validation& validation) {
  std::string text;
  std::size_t shown = 0;
  std::size_t errors = 0;
  for (const Finding& finding : validation.verdict.findings) {
    if (finding.severity != Severity::kError) continue;
    if (++errors > kMostFindings) continue;
    ++shown;
    text += fmt::format("{}line {}: {}", text.empty() ? "" : "\n", finding.place.line,
                        one_line(finding.message));
    if (!finding.suggestion.empty()) text += "\n  " + one_line(finding.suggestion);
  }
  if (errors > shown) text += fmt::format("\n… and {} more", errors - shown);
  if (!text.empty()) return text;
  for (const SampleResult& sample : validation.results) {
    if (sample.success) continue;
    text = fmt::format("{}: {}", one_line(sample.error_type), one_line(sample.error));
    if (sample.error_line > 0) {
      text += fmt::format("\nat line {}", sample.error_line);
      if (!sample.trace.empty()) text += ", in " + one_line(sample.trace.back().function) + "()";
      const auto line = source_line(validation.verdict.code, sample.error_line);
      if (!line.empty()) text += "\n  " + one_line(line);
    }
    return text + "\nwith " + one_line(sample.path);
  }
  return "it was refused without a reason";
}

// What a model is told of the failures: of paths that it was not shown only the kind and the line.
std::string context_for_model(const Validation& validation, const std::vector<std::string>& shown) {
  if (shown.empty() || validation.results.empty()) return validation.retry_context.value_or("");
  Validation masked = validation;
  for (SampleResult& sample : masked.results) {
    if (std::ranges::find(shown, sample.path) != shown.end()) continue;
    sample.path = "another path";
    sample.error = "(what it says is left out: the path was not sent)";
  }
  return retry_context(masked);
}

Judged judgement_of(const Validation& validation, const std::vector<std::string>& shown) {
  Judged judged;
  judged.valid = validation.valid;
  judged.stage = validation.stage_reached;
  judged.text = validation.verdict.code;
  judged.warnings = validation.quality_warnings;
  double total = 0;
  for (const SampleResult& sample : validation.results) {
    total += sample.milliseconds;
    judged.passed += sample.success ? 1U : 0U;
    judged.has_timed_out = judged.has_timed_out || sample.error_type == "TimeoutError";
    if (judged.preview.size() < kMostPreview)
      judged.preview.push_back(
          {.path = sample.path,
           .ok = sample.success,
           .data = sample.result,
           .error = sample.success ? "" : sample.error_type + ": " + sample.error});
  }
  if (!validation.results.empty())
    judged.mean_ms = total / static_cast<double>(validation.results.size());
  if (!validation.valid) {
    judged.retry_context = context_for_model(validation, shown);
    judged.problem = problem_of(validation);
  }
  return judged;
}

// A model's program that reads nothing out of any path has not done what was asked.
void refuse_empty(const Validation& validation, Judged& judged) {
  const bool is_empty = std::ranges::all_of(
      validation.results, [](const SampleResult& sample) { return sample.result == "{}"; });
  if (!judged.valid || !is_empty) return;
  judged.valid = false;
  judged.stage = Stage::kSandbox;
  judged.problem = "Every sample path gave an empty dict: nothing was read out of it.";
  judged.retry_context = "The extractor failed during test execution:\n  " + judged.problem;
}

class ProgramJudge {
 public:
  explicit ProgramJudge(const JudgeRequest& request) : request_(request) {}

  Result<Judged> run() {
    const auto start = Clock::now();
    std::vector<std::string> repairs;
    auto validation = validate_text(request_.text);
    if (!validation) return std::unexpected(std::move(validation).error());
    if (!validation->valid && request_.repairs) {
      const auto repair = repair_imports(validation->verdict, request_.policy);
      if (repair) {
        auto again = validate_text(repair->code);
        if (!again) return std::unexpected(std::move(again).error());
        // A repair that makes things worse was none.
        if (again->stage_reached >= validation->stage_reached) {
          repairs = repair->done;
          validation = std::move(again);
        }
      }
    }
    Judged judged = judgement_of(*validation, request_.shown);
    if (!request_.shown.empty()) refuse_empty(*validation, judged);
    judged.repairs = std::move(repairs);
    judged.milliseconds = since(start);
    return judged;
  }

 private:
  Result<Validation> validate_text(const std::string& text) const {
    ValidateRequest request;
    request.raw = text;
    request.paths = spread(request_.samples, kMostSamples);
    request.most_timeouts = kMostTimeouts;
    request.policy = request_.policy;
    request.host_program = request_.host_program;
    request.stop = request_.stop;
    request.on_progress = [this](const ValidateProgress& now) {
      if (!request_.on_progress) return;
      Progress progress;
      progress.stage = now.stage;
      progress.done = now.done;
      progress.total = now.total;
      request_.on_progress(progress);
    };
    return validate(request);
  }

  const JudgeRequest& request_;
};

// ---- rules

Judged refuse_rule(const JudgeRequest& request, std::string problem, Stage stage) {
  Judged judged;
  judged.stage = stage;
  judged.text = request.text;
  judged.problem = std::move(problem);
  judged.retry_context = judged.problem;
  return judged;
}

std::string problems_text(const std::vector<rules::Problem>& problems) {
  std::string text;
  for (std::size_t i = 0; i < problems.size() && i < kMostFindings; ++i) {
    text += fmt::format("{}line {}, column {}: {}", i == 0 ? "" : "\n", problems[i].line,
                        problems[i].column, one_line(problems[i].message));
  }
  if (problems.size() > kMostFindings)
    text += fmt::format("\n… and {} more", problems.size() - kMostFindings);
  return text;
}

// The row that `airlock extract` would write, taken apart again.
SampleResult sample_of(const std::string& path, std::string_view row) {
  SampleResult sample;
  sample.path = path;
  if (row.ends_with('\n')) row.remove_suffix(1);
  const auto parts = take_apart(row);
  if (!parts) return sample;
  sample.success = parts->ok;
  sample.result = parts->data;
  sample.error_type = parts->error_type;
  sample.error = parts->error_message;
  return sample;
}

Judged judge_rule(const JudgeRequest& request) {
  const auto start = Clock::now();
  auto read = rules::read_rule_file(request.text);
  if (!read) return refuse_rule(request, problems_text(read.error()), Stage::kSyntax);
  const rules::Matcher matcher(std::move(*read));
  const RuleRows rows(matcher);
  rules::Match scratch;
  std::vector<SampleResult> results;
  Judged judged;
  judged.text = request.text;
  std::string first_missed;
  double matching = 0;
  for (const std::string& path : request.samples) {
    std::string row;
    const auto before = Clock::now();
    const bool is_matched = rows.append(row, path, scratch);
    matching += since(before);
    judged.passed += is_matched ? 1U : 0U;
    if (results.size() < kMostSamples) results.push_back(sample_of(path, row));
    if (!is_matched && first_missed.empty()) {
      const SampleResult missed = sample_of(path, row);
      first_missed = one_line(path) + ": " + one_line(missed.error);
    }
  }
  if (judged.passed == 0)
    return refuse_rule(request, "No sample path matches.\n" + first_missed, Stage::kSandbox);
  judged.valid = true;
  judged.stage = Stage::kComplete;
  judged.warnings = quality_warnings(results);
  if (judged.passed < request.samples.size())
    judged.warnings.push_back(fmt::format("{} of {} paths are not explained: {}",
                                          request.samples.size() - judged.passed,
                                          request.samples.size(), first_missed));
  for (std::size_t i = 0; i < results.size() && i < kMostPreview; ++i)
    judged.preview.push_back({.path = results[i].path,
                              .ok = results[i].success,
                              .data = results[i].result,
                              .error = results[i].error});
  judged.mean_ms = matching / static_cast<double>(request.samples.size());
  judged.milliseconds = since(start);
  return judged;
}

}  // namespace

Result<Judged> judge_text(const JudgeRequest& request) {
  if (request.kind == OutputKind::kYaml) return judge_rule(request);
  return ProgramJudge(request).run();
}

}  // namespace airlock::wizard
