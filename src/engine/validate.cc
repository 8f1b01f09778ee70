#include "engine/validate.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "base/sha256.h"
#include "engine/explore.h"
#include "engine/judged_code.h"
#include "engine/quality.h"
#include "engine/retry_context.h"
#include "engine/sample_runner.h"
#include "engine/second_look.h"
#include "model/rule.h"

namespace airlock {

namespace {

using Clock = std::chrono::steady_clock;

// What all samples together may give back: a supervisor's memory must not be the guest's to fill.
constexpr std::size_t kMaxResults = 64 * 1024 * 1024;

// `kept`: the bytes of all samples so far. One that would go past the limit has failed.
void keep_within_limit(SampleResult& sample, std::size_t& kept) {
  const std::size_t size = sample.result.size() + sample.output.size() + sample.error_output.size();
  if (size <= kMaxResults - kept) {
    kept += size;
    return;
  }
  for (std::string* text : {&sample.result, &sample.output, &sample.error_output}) {
    text->clear();
    text->shrink_to_fit();  // an empty text keeps its memory
  }
  if (!sample.success) return;  // what went wrong first is what to mend
  sample.success = false;
  sample.error_type = "OutputLimitError";
  sample.error = "The results of all samples together are larger than 64 MiB";
}

void report(const ValidateRequest& request, Stage stage, std::size_t done) {
  if (request.on_progress) request.on_progress({stage, done, request.paths.size()});
}

Result<std::vector<SampleResult>> run_samples(SampleRunner& runner,
                                              const ValidateRequest& request) {
  std::vector<SampleResult> results;
  results.reserve(request.paths.size());
  std::size_t kept = 0;
  std::size_t timeouts = 0;
  for (const std::string& path : request.paths) {
    if (request.stop.stop_requested()) return fail("run the samples: it was stopped");
    report(request, Stage::kSandbox, results.size());
    auto result = runner.run(path);
    if (!result) return std::unexpected(std::move(result).error());
    keep_within_limit(*result, kept);
    timeouts += result->error_type == "TimeoutError" ? 1U : 0U;
    results.push_back(std::move(*result));
    if (request.most_timeouts != 0 && timeouts >= request.most_timeouts) break;
    runner.expect_another_cell();  // for the second look, or after a death
  }
  report(request, Stage::kSandbox, results.size());
  return results;
}

void add_to(std::vector<std::string>& warnings, std::vector<std::string> more) {
  warnings.insert(warnings.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
}

// Code that kept to the rules only as long as it was asked once has not kept to them.
void judge_again(LateViolation late, Validation& validation) {
  validation.results[late.sample] = std::move(late.result);
  validation.valid = false;
  validation.stage_reached = Stage::kSandbox;
}

// The samples once more; what comes out is a violation, or warnings.
Result<void> run_again(SampleRunner& runner, SampleRunner* other_order,
                       const ValidateRequest& request, Validation& validation) {
  auto look = second_look(runner, validation.results, request.limits);
  if (!look) return std::unexpected(std::move(look).error());
  std::vector<std::string> warnings = std::move(look->differences.warnings);
  if (!look->violation && other_order != nullptr) {
    look = look_in_other_order(*other_order, validation.results, std::move(look->differences));
    if (!look) return std::unexpected(std::move(look).error());
    add_to(warnings, std::move(look->differences.warnings));
  }
  add_to(validation.quality_warnings, std::move(warnings));
  if (look->violation) judge_again(std::move(*look->violation), validation);
  return {};
}

// What is worth saying about code that passed: what came out, what came out of a second try, what
// came of paths that nobody gave.
Result<void> look_closer(SampleRunner& runner, SampleRunner* other_order,
                         const ValidateRequest& request, Validation& validation) {
  add_to(validation.quality_warnings, quality_warnings(validation.results));
  TRY(run_again(runner, other_order, request, validation));
  if (request.explore == 0 || !validation.valid) return {};
  auto explored =
      explore(runner, request.paths, request.explore, validation.sha256, request.limits);
  if (!explored) return std::unexpected(std::move(explored).error());
  add_to(validation.quality_warnings, std::move(*explored));
  return {};
}

Result<void> run_and_judge(SampleRunner& runner, SampleRunner* other_order,
                           const ValidateRequest& request, Validation& validation) {
  if (other_order != nullptr) other_order->load(validation.verdict.compiled, request.limits);
  runner.load(std::move(validation.verdict.compiled), request.limits);
  auto results = run_samples(runner, request);
  if (!results) return std::unexpected(std::move(results).error());
  validation.results = std::move(*results);
  validation.has_results = true;
  validation.walls = runner.walls();
  validation.valid = std::ranges::all_of(validation.results, &SampleResult::success);
  validation.stage_reached = validation.valid ? Stage::kComplete : Stage::kSandbox;
  if (validation.valid) TRY(look_closer(runner, other_order, request, validation));
  return {};
}

}  // namespace

Result<Validation> validate(const ValidateRequest& request) {
  const auto start = Clock::now();
  report(request, Stage::kSyntax, 0);
  // Without the scan, code may put a module's name together as it runs.
  auto judged =
      judge_and_warm({.host_program = request.host_program,
                      .policy = request.policy,
                      .raw = request.raw,
                      .stages = {.security = request.scan, .signature = true, .compile = true},
                      .warmth = request.scan ? Warmth::kNamedInText : Warmth::kWholePolicy,
                      .first_cell = request.limits});
  if (!judged) return std::unexpected(std::move(judged).error());
  Validation validation;
  validation.verdict = std::move(judged->verdict);
  validation.stage_reached = validation.verdict.stage;
  validation.was_scanned = request.scan;
  validation.sha256 =
      sha256_hex(validation.verdict.code.empty() ? request.raw : validation.verdict.code);
  if (!request.scan) validation.quality_warnings.emplace_back(kNotScanned);
  if (validation.verdict.decision == Decision::kAccepted) {
    std::optional<SampleRunner> other_order;
    if (validation.verdict.has_sets) {
      auto other = SampleRunner::start(request.host_program, judged->policy, request.limits,
                                       HashOrder::kOther);  // warms up while the samples run
      if (!other) return std::unexpected(std::move(other).error());
      other_order.emplace(std::move(*other));
    }
    SampleRunner runner(request.host_program, std::move(judged->policy),
                        std::move(judged->chamber));
    TRY(run_and_judge(runner, other_order ? &*other_order : nullptr, request, validation));
  }
  if (!validation.valid) validation.retry_context = retry_context(validation);
  const std::chrono::duration<double, std::milli> took = Clock::now() - start;
  validation.elapsed_ms = took.count();
  return validation;
}

}  // namespace airlock
