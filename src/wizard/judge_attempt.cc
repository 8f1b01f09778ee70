// Two ways to judge, one result (TextJudged). A program goes through all stages in the chamber, at
// most twice (its imports may be repaired in between). A rule is read and matched in this process.
// Both end in a preview for the screen, a problem in words for the person and, for a model's
// program alone, a retry_context.
#include "wizard/judge_attempt.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <string_view>

#include "base/printable.h"
#include "base/utf8.h"
#include "engine/approve/judge_draft.h"
#include "engine/validate/quality.h"
#include "engine/validate/validate.h"
#include "model/source_line.h"
#include "wizard/repair.h"

namespace airlock::wizard {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostSamples = 200;  // that a program is tried on
constexpr std::size_t kMostTimeouts = 2;   // what hangs twice hangs
constexpr std::size_t kMostPreview = 20;   // rows that a result screen can show
constexpr std::size_t kMostFindings = 6;   // that an error screen can show
constexpr std::size_t kLongestLine = 300;  // bytes

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::string one_line(std::string_view text) {
  return printable(cut_utf8(text, kLongestLine));
}

// Every nth, rather than the first ones: lists of paths are sorted, and neighbours are alike.
std::vector<std::string> evenly_spread(const std::vector<std::string>& samples, std::size_t most) {
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

// How many passed, how long they took, and the first ones to look at.
void take_results(const std::vector<SampleResult>& results, TextJudged& judged) {
  double total = 0;
  for (const SampleResult& sample : results) {
    total += sample.milliseconds;
    judged.passed += sample.success ? 1U : 0U;
    judged.has_timed_out = judged.has_timed_out || sample.has_timed_out();
    if (judged.preview.size() < kMostPreview)
      judged.preview.push_back(
          {.path = sample.path,
           .ok = sample.success,
           .data = sample.result,
           .error = sample.success ? "" : sample.error_type + ": " + sample.error});
  }
  if (!results.empty()) judged.mean_ms = total / static_cast<double>(results.size());
}

TextJudged judgement_of(const Validation& validation) {
  TextJudged judged;
  judged.valid = validation.valid;
  judged.stage = validation.stage_reached;
  judged.text = validation.verdict.code;
  judged.warnings = validation.quality_warnings;
  take_results(validation.results, judged);
  if (!validation.valid) {
    judged.retry_context = validation.retry_context.value_or("");
    judged.problem = problem_of(validation);
  }
  return judged;
}

// True for no results as well: refuse_empty() asks only about a program that passed.
bool are_empty(const std::vector<SampleResult>& results) {
  return std::ranges::all_of(results,
                             [](const SampleResult& sample) { return sample.result == "{}"; });
}

// A model's program that reads nothing out of any path has not done what was asked.
void refuse_empty(const Validation& validation, TextJudged& judged) {
  const bool is_empty = are_empty(validation.results) &&
                        (!validation.sent_results || are_empty(*validation.sent_results));
  if (!judged.valid || !is_empty) return;
  judged.valid = false;
  judged.stage = Stage::kSandbox;
  judged.problem = "Every sample path gave an empty dict: nothing was read out of it.";
  judged.retry_context = "The extractor failed during test execution:\n  " + judged.problem;
}

// Judges a program twice at most: as it was written and, when that fails, with its imports
// repaired.
class ProgramJudge {
 public:
  explicit ProgramJudge(const JudgeTextRequest& request) : request_(request) {}

  Result<TextJudged> run() {
    const auto start = Clock::now();
    std::vector<std::string> repairs;
    auto validation = TRY(validate_text(request_.text));
    if (!validation.valid && request_.author != Author::kPerson) {
      const auto repair = repair_imports(validation.verdict, request_.policy);
      if (repair) {
        auto again = TRY(validate_text(repair->code));
        // A repair that makes things worse was none.
        if (again.stage_reached >= validation.stage_reached) {
          repairs = repair->done;
          validation = std::move(again);
        }
      }
    }
    TextJudged judged = judgement_of(validation);
    if (!request_.sent.empty()) refuse_empty(validation, judged);
    judged.repairs = std::move(repairs);
    judged.milliseconds = milliseconds_since(start);
    return judged;
  }

 private:
  Result<Validation> validate_text(const std::string& text) const {
    ValidateRequest request;
    request.raw = text;
    request.paths = tried_samples(OutputKind::kPython, request_.samples, {});
    request.sent = request_.sent;
    // Without it a program that never ends would be waited for on every sample.
    request.most_timeouts = kMostTimeouts;
    request.policy = request_.policy;
    request.host_program = request_.host_program;
    request.stop = request_.stop;
    request.on_progress = [this](const ValidateProgress& now) {
      if (!request_.on_progress) return;
      WizardProgress progress;
      progress.stage = now.stage;
      progress.done = now.done;
      progress.total = now.total;
      request_.on_progress(progress);
    };
    return validate(request);
  }

  const JudgeTextRequest& request_;
};

// ---- rules

std::string problems_text(const std::vector<rules::RuleFileProblem>& problems) {
  std::string text;
  for (std::size_t i = 0; i < problems.size() && i < kMostFindings; ++i) {
    text += fmt::format("{}line {}, column {}: {}", i == 0 ? "" : "\n", problems[i].line,
                        problems[i].column, one_line(problems[i].message));
  }
  if (problems.size() > kMostFindings)
    text += fmt::format("\n… and {} more", problems.size() - kMostFindings);
  return text;
}

std::string first_missed(const std::vector<SampleResult>& results) {
  const auto missed = std::ranges::find(results, false, &SampleResult::success);
  return missed == results.end() ? "" : one_line(missed->path) + ": " + one_line(missed->error);
}

// What inference could not explain is not what its rule is about: it is told and left out. Not when
// that is every path.
std::vector<std::string> unlike_the_rest(const std::vector<SampleResult>& results) {
  std::vector<std::string> paths;
  for (const SampleResult& sample : results)
    if (!sample.success) paths.push_back(sample.path);
  if (paths.size() == results.size()) paths.clear();
  return paths;
}

std::string why_refused(const JudgedDraft& draft) {
  if (!draft.problems.empty()) return problems_text(draft.problems);
  const std::vector<SampleResult>& results = draft.validation.results;
  const auto missed = std::ranges::count(results, false, &SampleResult::success);
  const std::string counted =
      missed == std::ssize(results)
          ? "No sample path matches."
          : fmt::format("{} of {} sample paths do not match.", missed, results.size());
  return counted + "\n" + first_missed(results);
}

Result<JudgedDraft> try_rule(const JudgeTextRequest& request,
                             const std::vector<std::string>& set_aside) {
  return judge_draft({.kind = OutputKind::kYaml,
                      .text = request.text,
                      .samples = tried_samples(OutputKind::kYaml, request.samples, set_aside)});
}

// A rule is tried on all samples, since it costs microseconds each. A rule of inference gets a
// second judgement without the paths that it does not explain.
Result<TextJudged> judge_rule(const JudgeTextRequest& request) {
  const auto start = Clock::now();
  TextJudged judged;
  judged.set_aside = request.set_aside;
  auto draft = TRY(try_rule(request, judged.set_aside));
  if (!draft.valid && draft.problems.empty() && request.author == Author::kInference) {
    const std::vector<std::string> unlike = unlike_the_rest(draft.validation.results);
    if (!unlike.empty())
      judged.warnings.push_back(fmt::format("{} of {} paths are not explained and are left out: {}",
                                            unlike.size(), request.samples.size(),
                                            first_missed(draft.validation.results)));
    judged.set_aside.insert(judged.set_aside.end(), unlike.begin(), unlike.end());
    draft = TRY(try_rule(request, judged.set_aside));
  }
  judged.valid = draft.valid;
  judged.text = request.text;
  judged.stage = !draft.problems.empty() ? Stage::kSyntax
                 : draft.valid           ? Stage::kComplete
                                         : Stage::kSandbox;
  judged.milliseconds = milliseconds_since(start);
  if (!judged.valid) {
    judged.problem = why_refused(draft);
    return judged;
  }
  take_results(draft.validation.results, judged);
  // As many results as a program would have: then both kinds get the same warnings.
  std::vector<SampleResult> some = std::move(draft.validation.results);
  if (some.size() > kMostSamples) some.resize(kMostSamples);
  std::vector<std::string> quality = quality_warnings(some);
  judged.warnings.insert(judged.warnings.begin(), std::make_move_iterator(quality.begin()),
                         std::make_move_iterator(quality.end()));
  return judged;
}

}  // namespace

std::vector<std::string> tried_samples(OutputKind kind, const std::vector<std::string>& samples,
                                       const std::vector<std::string>& set_aside) {
  if (kind == OutputKind::kPython) return evenly_spread(samples, kMostSamples);
  if (set_aside.empty()) return samples;
  const std::set<std::string_view> others(set_aside.begin(), set_aside.end());
  std::vector<std::string> kept;
  for (const std::string& path : samples)
    if (!others.contains(path)) kept.push_back(path);
  return kept;
}

Result<TextJudged> judge_text(const JudgeTextRequest& request) {
  if (request.kind == OutputKind::kYaml) return judge_rule(request);
  return ProgramJudge(request).run();
}

}  // namespace airlock::wizard
