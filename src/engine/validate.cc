#include "engine/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "base/sha256.h"
#include "jail/cell_jail.h"
#include "model/rule.h"
#include "run/chamber.h"
#include "run/vetter_client.h"

namespace airlock {

namespace {

constexpr auto kVetPatience = std::chrono::seconds(10);
constexpr int kMaxDepth = 70;  // a little more than a cell writes

// What a cell calls JSON is JSON: one object, well formed, not deeper than we ask for. Only then is
// it repeated to anyone.
bool is_json_object(const std::string& text) {
  if (text.size() < 2 || text.front() != '{') return false;
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kMaxDepth) return false;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return nlohmann::json::accept(text);
}

struct Failure {
  std::string type;
  std::string message;
};

Failure describe(const run::Ending& ending, const RunLimits& limits) {
  struct Visitor {
    const RunLimits& limits;
    Failure operator()(const run::TimedOut&) const {
      return {"TimeoutError",
              fmt::format("Execution timed out after {:.1f}s", limits.timeout_ms / 1000.0)};
    }
    Failure operator()(const run::Crashed& crash) const {
      const os::ExitStatus status{true, static_cast<int>(crash.signal)};
      return {"CrashError",
              "No result from subprocess (possible crash): it was ended by " + status.describe()};
    }
    Failure operator()(const run::Exited& exited) const {
      return {"CrashError", "No result from subprocess (possible crash): it exited with code " +
                                std::to_string(exited.code)};
    }
    Failure operator()(const run::Garbled&) const {
      return {"CrashError", "No result from subprocess: what it sent is not a result"};
    }
  };
  return std::visit(Visitor{limits}, ending);
}

std::string describe_denials(const std::vector<Denial>& denials) {
  std::string text;
  for (const Denial& denial : denials) {
    if (!text.empty()) text += ", ";
    text += jail::call_name(denial.call);
    if (denial.line > 0) text += " at line " + std::to_string(denial.line);
  }
  return text;
}

SampleResult to_sample(std::string path, GuestOutcome outcome) {
  SampleResult sample;
  sample.path = std::move(path);
  sample.success = outcome.success;
  sample.error = std::move(outcome.error);
  sample.error_type = std::move(outcome.error_type);
  sample.error_line = outcome.error_line;
  sample.trace = std::move(outcome.trace);
  sample.output = std::move(outcome.output);
  sample.error_output = std::move(outcome.error_output);
  sample.milliseconds = static_cast<double>(outcome.microseconds) / 1000.0;
  if (sample.success && !is_json_object(outcome.value)) {
    sample.success = false;
    sample.error_type = "CrashError";
    sample.error = "What the process sent is not a result";
  }
  if (sample.success) sample.result = std::move(outcome.value);
  if (!outcome.denials.empty()) {
    const std::string also =
        sample.error.empty() ? "" : " (" + sample.error_type + ": " + sample.error + ")";
    sample.success = false;
    sample.result.clear();
    sample.error_type = "SandboxViolation";
    sample.error = "System call denied: " + describe_denials(outcome.denials) + also;
    if (sample.error_line == 0) sample.error_line = outcome.denials[0].line;
  } else if (outcome.output_was_cut) {
    sample.error_output += "[output cut off at the limit]\n";
  }
  return sample;
}

SampleResult lost_sample(std::string path, const run::Ending& ending, const RunLimits& limits,
                         double milliseconds) {
  Failure failure = describe(ending, limits);
  SampleResult sample;
  sample.path = std::move(path);
  sample.error_type = std::move(failure.type);
  sample.error = std::move(failure.message);
  sample.milliseconds = milliseconds;
  return sample;
}

// Runs the samples: one cell for all of them in order, a fresh one after a death. When loading
// fails, it fails for all.
class SampleRunner {
 public:
  SampleRunner(run::Chamber& chamber, const std::string& compiled, const ValidateRequest& request)
      : chamber_(chamber), compiled_(compiled), request_(request) {}

  Result<std::vector<SampleResult>> run() {
    std::vector<SampleResult> results;
    for (const std::string& path : request_.paths) {
      if (!load_failure_) TRY(ensure_cell());
      if (load_failure_) {
        SampleResult same = *load_failure_;
        same.path = path;
        results.push_back(std::move(same));
        continue;
      }
      const auto start = std::chrono::steady_clock::now();
      auto outcome = cell_->call(path);
      const std::chrono::duration<double, std::milli> took =
          std::chrono::steady_clock::now() - start;
      if (outcome) {
        results.push_back(to_sample(path, std::move(*outcome)));
      } else {
        if (cell_->trouble()) return std::unexpected(*cell_->trouble());
        results.push_back(lost_sample(path, outcome.error(), request_.limits, took.count()));
        cell_.reset();
      }
    }
    return results;
  }

  std::vector<std::string> walls;

 private:
  Result<void> ensure_cell() {
    if (cell_) return {};
    auto made = chamber_.make_cell();
    if (!made) return std::unexpected(std::move(made).error());
    cell_ = std::move(*made);
    auto loaded = cell_->load(compiled_, request_.limits);
    if (cell_->trouble()) return std::unexpected(*cell_->trouble());
    walls = cell_->walls();
    if (!loaded) {
      load_failure_ = lost_sample("", loaded.error(), request_.limits, request_.limits.timeout_ms);
      cell_.reset();
    } else if (!loaded->success || !loaded->denials.empty()) {
      loaded->success = false;
      load_failure_ = to_sample("", std::move(*loaded));
    }
    return {};
  }

  run::Chamber& chamber_;
  const std::string& compiled_;
  const ValidateRequest& request_;
  std::unique_ptr<run::Cell> cell_;
  std::optional<SampleResult> load_failure_;
};

Result<Verdict> vet_for_running(const ValidateRequest& request) {
  auto vetter = run::VetterClient::start(request.host_program, request.policy);
  if (!vetter) return std::unexpected(std::move(vetter).error());
  const Stages stages{.security = request.scan, .signature = true, .compile = true};
  auto verdict = vetter->vet(request.raw, stages, kVetPatience);
  if (verdict) return std::move(*verdict);
  const Rule& row = rule(RuleCode::kVetterFailed);
  Verdict refused;
  refused.findings.push_back({&row, row.severity, Place{1, 0, 1, 0}, "vetter",
                              "The vetter could not finish with this file: " + verdict.error().why,
                              "Make the code simpler; nothing of it was run."});
  return refused;
}

}  // namespace

Result<Validation> validate(const ValidateRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  // The chamber warms up while the text is judged.
  auto chamber = run::Chamber::start(request.host_program, request.policy);
  if (!chamber) return std::unexpected(std::move(chamber).error());
  auto verdict = vet_for_running(request);
  if (!verdict) return std::unexpected(std::move(verdict).error());
  Validation validation;
  validation.verdict = std::move(*verdict);
  validation.stage_reached = validation.verdict.stage;
  validation.sha256 =
      sha256_hex(validation.verdict.code.empty() ? request.raw : validation.verdict.code);
  if (validation.verdict.decision == Decision::kAccepted) {
    TRY((*chamber)->await_ready());
    SampleRunner runner(**chamber, validation.verdict.compiled, request);
    auto results = runner.run();
    if (!results) return std::unexpected(std::move(results).error());
    validation.results = std::move(*results);
    validation.has_results = true;
    validation.walls = std::move(runner.walls);
    const bool all_passed = std::ranges::all_of(validation.results, &SampleResult::success);
    validation.stage_reached = all_passed ? Stage::kComplete : Stage::kSandbox;
    validation.valid = all_passed;
    if (all_passed) validation.quality_warnings = quality_warnings(validation.results);
  }
  if (!validation.valid) validation.retry_context = retry_context(validation);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  validation.elapsed_ms = took.count();
  return validation;
}

}  // namespace airlock
