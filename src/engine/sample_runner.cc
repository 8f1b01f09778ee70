#include "engine/sample_runner.h"

#include <signal.h>

#include <chrono>
#include <utility>

#include "engine/failure.h"
#include "engine/json_check.h"

namespace airlock {

namespace {

constexpr std::size_t kMaxError = 16 * 1024;
constexpr std::size_t kMaxName = 256;

// The cell holds itself to these limits; one that no longer does has been taken over.
bool is_within(const RunLimits& limits, const GuestOutcome& outcome) {
  return outcome.value.size() <= limits.result_bytes &&
         outcome.output.size() <= limits.output_bytes &&
         outcome.error_output.size() <= limits.output_bytes && outcome.error.size() <= kMaxError &&
         outcome.error_type.size() <= kMaxName && !(outcome.success && !outcome.error.empty());
}

SampleResult to_sample(std::string path, GuestOutcome outcome, const RunLimits& limits) {
  SampleResult sample;
  sample.path = std::move(path);
  if (!is_within(limits, outcome)) {
    sample.error_type = "CrashError";
    sample.error = "What the process sent is not a result";
    return sample;
  }
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
    Failure failure = describe_violation(outcome.denials, {sample.error_type, sample.error});
    sample.success = false;
    sample.result.clear();
    sample.error_type = std::move(failure.type);
    sample.error = std::move(failure.message);
    if (outcome.denials[0].line != 0) sample.error_line = outcome.denials[0].line;
  }
  if (outcome.output_was_cut) sample.error_output += "[output cut off at the limit]\n";
  return sample;
}

SampleResult lost_sample(std::string path, const run::Ending& ending, const RunLimits& limits,
                         double milliseconds) {
  Failure failure = describe_ending(ending, limits);
  SampleResult sample;
  sample.path = std::move(path);
  sample.error_type = std::move(failure.type);
  sample.error = std::move(failure.message);
  sample.milliseconds = milliseconds;
  const run::LastWords& words = last_words(ending);
  sample.error_line = words.denials.empty() ? words.line : words.denials[0].line;
  sample.output = words.output;
  sample.error_output = words.error_output;
  return sample;
}

// A guest has no way to send this signal: it came from somebody else.
bool was_killed(const run::Ending& ending) {
  const auto* crash = std::get_if<run::Crashed>(&ending);
  return crash != nullptr && crash->signal == SIGKILL;
}

}  // namespace

Result<SampleRunner> SampleRunner::start(const std::string& host_program, const Policy& policy,
                                         const RunLimits& limits, HashOrder order) {
  auto chamber = run::Chamber::start(host_program, policy, order);
  if (!chamber) return std::unexpected(std::move(chamber).error());
  (*chamber)->order_spare(limits);
  return SampleRunner(host_program, policy, order, std::move(*chamber));
}

void SampleRunner::load(std::string compiled, const RunLimits& limits) {
  compiled_ = std::move(compiled);
  limits_ = limits;
}

void SampleRunner::expect_another_cell() {
  if (is_ready_) chamber_->order_spare(limits_);
}

void SampleRunner::renew_cell(const RunLimits& limits) {
  cell_.reset();
  limits_ = limits;
}

Result<void> SampleRunner::replace_chamber() {
  cell_.reset();
  auto chamber = run::Chamber::start(*host_program_, *policy_, order_);
  if (!chamber) return std::unexpected(std::move(chamber).error());
  chamber_ = std::move(*chamber);
  is_ready_ = false;
  return {};
}

Result<SampleResult> SampleRunner::run(const std::string& path) {
  was_killed_ = false;
  auto result = try_once(path);
  if ((result && !was_killed_) || has_recovered_) return result;
  has_recovered_ = true;
  load_failure_.reset();
  if (!result) TRY(replace_chamber());
  return try_once(path);
}

Result<SampleResult> SampleRunner::try_once(const std::string& path) {
  if (!load_failure_) TRY(ensure_cell());
  if (load_failure_) {
    SampleResult same = *load_failure_;
    same.path = path;
    if (was_killed_) load_failure_.reset();  // that was not the code's doing
    return same;
  }
  const auto start = std::chrono::steady_clock::now();
  auto outcome = cell_->call(path);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  if (outcome) return to_sample(path, std::move(*outcome), limits_);
  if (cell_->trouble()) return std::unexpected(*cell_->trouble());
  was_killed_ = was_killed(outcome.error());
  cell_.reset();
  return lost_sample(path, outcome.error(), limits_, took.count());
}

Result<void> SampleRunner::ensure_cell() {
  if (cell_) return {};
  if (!is_ready_) TRY(chamber_->await_ready());
  is_ready_ = true;
  auto made = chamber_->make_cell();
  if (!made) return std::unexpected(std::move(made).error());
  cell_ = std::move(*made);
  auto loaded = cell_->load(compiled_, limits_);
  if (cell_->trouble()) return std::unexpected(*cell_->trouble());
  walls_ = cell_->walls();
  if (!loaded) {
    was_killed_ = was_killed(loaded.error());
    load_failure_ = lost_sample("", loaded.error(), limits_,
                                std::holds_alternative<run::TimedOut>(loaded.error())
                                    ? static_cast<double>(limits_.timeout_ms)
                                    : 0.0);
    cell_.reset();
  } else if (!loaded->success || !loaded->denials.empty()) {
    loaded->success = false;
    load_failure_ = to_sample("", std::move(*loaded), limits_);
  }
  return {};
}

}  // namespace airlock
