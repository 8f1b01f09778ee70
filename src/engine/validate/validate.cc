#include "engine/validate/validate.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "base/sha256.h"
#include "engine/load/judged_code.h"
#include "engine/retry/retry_context.h"
#include "engine/validate/explore.h"
#include "engine/validate/quality.h"
#include "engine/validate/rerun_samples.h"
#include "engine/validate/sample_runner.h"
#include "model/rule.h"

namespace airlock {

namespace {

using Clock = std::chrono::steady_clock;

// Bytes that all samples together may return: a guest must not be able to fill the supervisor's
// memory.
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

void report(const ValidateRequest& request, Stage stage, std::size_t done, std::size_t total) {
  if (request.on_progress) request.on_progress({stage, done, total});
}

// Runs samples in their order and keeps what they gave, under the limits that hold for all of them.
class Samples {
 public:
  // `done` of the `total` were run before.
  Samples(SampleRunner& runner, const ValidateRequest& request, std::size_t total,
          std::size_t done = 0)
      : runner_(runner), request_(request), total_(total), done_(done) {}

  // Nothing: so many ran out of time that the rest is left out.
  Result<std::optional<SampleResult>> run(const std::string& path) {
    if (request_.most_timeouts != 0 && timeouts_ >= request_.most_timeouts) return std::nullopt;
    if (request_.stop.stop_requested()) return fail("run the samples: it was stopped");
    report(request_, Stage::kSandbox, done_, total_);
    runner_.expect_another_cell();  // for the reruns, or after a death
    auto result = TRY(runner_.run(path));
    keep_within_limit(result, kept_);
    timeouts_ += result.has_timed_out() ? 1U : 0U;
    ++done_;
    return result;
  }

  Result<std::vector<SampleResult>> run_all(const std::vector<std::string>& paths) {
    std::vector<SampleResult> results;
    results.reserve(paths.size());
    runner_.expect_paths(paths);
    for (const std::string& path : paths) {
      auto result = TRY(run(path));
      if (!result) break;
      results.push_back(*std::move(result));
    }
    return results;
  }

  void report_end() const { report(request_, Stage::kSandbox, done_, total_); }

 private:
  SampleRunner& runner_;
  const ValidateRequest& request_;
  std::size_t total_;
  std::size_t done_;
  std::size_t kept_ = 0;
  std::size_t timeouts_ = 0;
};

bool has_failed(const std::vector<SampleResult>& results, const std::string& path) {
  const auto found = std::ranges::find(results, path, &SampleResult::path);
  return found != results.end() && !found->success;
}

// With paths that a model has seen and paths that it has not: the sent ones run first, the others
// in a cell that has never met them. So what is told to the model comes from a cell that knew
// nothing but what the model knows. (The cell that is thrown away has seen nothing else either.) A
// path that was sent as it is and fails has decided; no other is run then.
Result<void> run_in_two_cells(SampleRunner& runner, const ValidateRequest& request,
                              Validation& validation) {
  const auto is_sent = [&](const std::string& path) {
    return std::ranges::find(request.sent, path) != request.sent.end();
  };
  const auto unsent = static_cast<std::size_t>(
      std::ranges::count_if(request.paths, [&](const auto& path) { return !is_sent(path); }));
  const std::size_t total = request.sent.size() + unsent;
  auto sent = TRY(Samples(runner, request, total).run_all(request.sent));
  const auto decides = [&](const std::string& path) { return has_failed(sent, path); };
  bool is_decided = std::ranges::any_of(request.paths, decides);
  if (!is_decided && unsent > 0) {
    // What the cell did after its last answer counts against the last path.
    if (auto late = runner.renew_cell(request.limits)) {
      late->path = sent.back().path;
      sent.back() = std::move(*late);
      is_decided = std::ranges::any_of(request.paths, decides);
    }
  }
  Samples samples(runner, request, total, sent.size());
  for (const std::string& path : request.paths) {
    const auto known = std::ranges::find(sent, path, &SampleResult::path);
    if (known != sent.end()) {
      validation.results.push_back(*known);
      continue;
    }
    if (is_decided) continue;
    auto result = TRY(samples.run(path));
    if (!result) break;
    validation.results.push_back(*std::move(result));
  }
  validation.sent_results = std::move(sent);
  samples.report_end();
  return {};
}

Result<void> run_samples(SampleRunner& runner, const ValidateRequest& request,
                         Validation& validation) {
  if (!request.sent.empty()) return run_in_two_cells(runner, request, validation);
  Samples samples(runner, request, request.paths.size());
  auto results = TRY(samples.run_all(request.paths));
  validation.results = std::move(results);
  samples.report_end();
  return {};
}

void add_to(std::vector<std::string>& warnings, std::vector<std::string> more) {
  warnings.insert(warnings.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
}

// Code that broke a rule only when it was run again has broken it.
void make_invalid(LateViolation late, Validation& validation) {
  validation.results[late.sample] = std::move(late.result);
  validation.valid = false;
  validation.stage_reached = Stage::kSandbox;
}

// The samples once more; what comes out is a violation, or warnings.
Result<void> run_again(SampleRunner& runner, SampleRunner* other_order,
                       const ValidateRequest& request, Validation& validation) {
  auto rerun = TRY(rerun_samples(runner, validation.results, request.limits));
  std::vector<std::string> warnings = std::move(rerun.differences.warnings);
  if (!rerun.violation && other_order != nullptr) {
    rerun =
        TRY(rerun_in_other_order(*other_order, validation.results, std::move(rerun.differences)));
    add_to(warnings, std::move(rerun.differences.warnings));
  }
  add_to(validation.quality_warnings, std::move(warnings));
  if (rerun.violation) make_invalid(std::move(*rerun.violation), validation);
  return {};
}

// For code that passed: warnings about its results, about running it again, and about mutated
// paths.
Result<void> check_further(SampleRunner& runner, SampleRunner* other_order,
                           const ValidateRequest& request, Validation& validation) {
  add_to(validation.quality_warnings, quality_warnings(validation.results));
  TRY(run_again(runner, other_order, request, validation));
  if (auto late = late_violation_of(runner.renew_cell(request.limits), validation.results,
                                    validation.results.size() - 1))
    make_invalid(std::move(*late), validation);
  if (request.explore == 0 || !validation.valid) return {};
  auto explored =
      TRY(explore(runner, request.paths, request.explore, validation.sha256, request.limits));
  add_to(validation.quality_warnings, std::move(explored));
  return {};
}

Result<void> run_and_judge(SampleRunner& runner, SampleRunner* other_order,
                           const ValidateRequest& request, Validation& validation) {
  TRY(run_samples(runner, request, validation));
  validation.has_results = true;
  validation.walls = runner.walls();
  validation.valid = validation.results.size() == request.paths.size() &&
                     std::ranges::all_of(validation.results, &SampleResult::success);
  validation.stage_reached = validation.valid ? Stage::kComplete : Stage::kSandbox;
  if (validation.valid) TRY(check_further(runner, other_order, request, validation));
  return {};
}

}  // namespace

Result<Validation> validate(const ValidateRequest& request) {
  const auto start = Clock::now();
  report(request, Stage::kSyntax, 0, request.paths.size());
  // Without the scan, code may compute a module's name at run time, so all modules are loaded.
  ColdSupply cold(request.host_program);
  Supply& supply = request.supply != nullptr ? *request.supply : cold;
  auto judged = TRY(judge_and_warm(
      {.supply = supply,
       .policy = request.policy,
       .raw = request.raw,
       .kind = request.kind,
       .screening = request.scan ? run::Screening::of_extractors()
                                 : run::Screening::of_extractors(run::grant::Unscanned()),
       .warmth = request.scan ? Warmth::kNamedInText : Warmth::kWholePolicy,
       .first_cell = request.limits}));
  Validation validation;
  validation.verdict = std::move(judged.verdict);
  validation.stage_reached = validation.verdict.stage;
  validation.was_scanned = request.scan;
  validation.sha256 =
      sha256_hex(validation.verdict.code.empty() ? request.raw : validation.verdict.code);
  if (!request.scan) validation.quality_warnings.emplace_back(kNotScanned);
  if (judged.code) {
    const Policy& policy = judged.less ? *judged.less : request.policy;
    std::optional<SampleRunner> other_order;
    if (validation.verdict.has_sets) {
      // Warms up while the samples run.
      other_order.emplace(
          TRY(SampleRunner::start(supply, policy, request.limits, HashOrder::kOther)));
      other_order->load(*judged.code, request.limits, request.stop);
    }
    SampleRunner runner(supply, policy, std::move(judged.chamber));
    runner.load(*std::move(judged.code), request.limits, request.stop);
    TRY(run_and_judge(runner, other_order ? &*other_order : nullptr, request, validation));
  }
  if (!validation.valid) validation.retry_context = retry_context(validation);
  const std::chrono::duration<double, std::milli> took = Clock::now() - start;
  validation.elapsed_ms = took.count();
  return validation;
}

}  // namespace airlock
