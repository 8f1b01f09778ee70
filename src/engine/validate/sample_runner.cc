#include "engine/validate/sample_runner.h"

#include <signal.h>

#include <utility>

#include "engine/load/judged_code.h"

namespace airlock {

namespace {

SampleResult to_sample(std::string path, CellAnswer answer) {
  return {.path = std::move(path),
          .success = answer.success,
          .result = std::move(answer.value),
          .error = std::move(answer.failure.message),
          .error_type = std::move(answer.failure.type),
          .error_line = answer.line,
          .trace = std::move(answer.trace),
          .output = std::move(answer.output),
          .error_output = std::move(answer.error_output),
          .milliseconds = answer.milliseconds};
}

// A guest cannot send SIGKILL, so it came from outside. Calls denied before that still count
// against the guest.
bool was_killed(const CellAnswer& answer) {
  const auto* crash = answer.ending ? std::get_if<Crashed>(&*answer.ending) : nullptr;
  return crash != nullptr && crash->signal == SIGKILL && answer.denials.empty();
}

}  // namespace

SampleRunner::SampleRunner(Supply& supply, const Policy& policy,
                           std::shared_ptr<run::Chamber> chamber, HashOrder order)
    : supply_(&supply), policy_(&policy), order_(order), chamber_(std::move(chamber)) {}

Result<SampleRunner> SampleRunner::start(Supply& supply, const Policy& policy,
                                         const RunLimits& limits, HashOrder order) {
  auto chamber = TRY(supply.chamber(policy, limits, order));
  return SampleRunner(supply, policy, std::move(chamber), order);
}

SampleRunner::~SampleRunner() {
  if (!chamber_) return;  // moved from
  cell_.reset();
  next_.reset();
  if (has_taken_cells_) supply_->replace_taken_cell(chamber_, limits_);
}

void SampleRunner::load(Vetted code, const RunLimits& limits, std::stop_token stop) {
  code_ = std::move(code);
  limits_ = limits;
  stop_ = std::move(stop);
}

void SampleRunner::expect_another_cell() {
  expects_another_ = true;
  if (cell_) begin_next();
}

// Where there is no spare cell yet, one is asked for, and begins when it is looked for again.
void SampleRunner::begin_next() {
  if (next_ || load_failure_) return;
  auto spare = chamber_->take_spare_cell(limits_);
  if (spare) {
    next_ = begin_load(std::move(spare), *code_, limits_);
    has_taken_cells_ = true;
  } else {
    chamber_->request_spare_cell(limits_);
  }
}

void SampleRunner::ask_next_cell(const std::string& path) {
  if (next_) next_->ask_ahead({&path, 1});
}

std::optional<SampleResult> SampleRunner::renew_cell(const RunLimits& limits) {
  auto late = cell_ ? finish_cell(*cell_, limits_) : std::nullopt;
  cell_.reset();
  if (limits.memory_bytes != limits_.memory_bytes) next_.reset();
  limits_ = limits;
  expects_another_ = false;
  if (!late) return std::nullopt;
  return to_sample("", std::move(*late));
}

Result<void> SampleRunner::replace_chamber() {
  cell_.reset();
  next_.reset();
  supply_->drop_chamber(*policy_, order_, chamber_);
  chamber_ = TRY(supply_->chamber(*policy_, std::nullopt, order_));
  is_ready_ = false;
  return {};
}

Result<SampleResult> SampleRunner::run(const std::string& path) {
  was_killed_ = was_garbled_ = false;
  if (!expected_.empty() && expected_.front() != path) expected_ = {};
  const auto left = expected_.empty() ? expected_ : expected_.subspan(1);
  auto result = run_or_recover(path);
  expected_ = left;
  return result;
}

// One recovery in a runner's life: a cell killed from outside, or a chamber in trouble, may be bad
// luck once. The second time it is reported as it is.
Result<SampleResult> SampleRunner::run_or_recover(const std::string& path) {
  auto result = try_once(path);
  if (stop_.stop_requested()) return fail("run the samples: it was stopped");
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
  if (!cell_->has_asked_ahead()) cell_->ask_ahead(expected_);
  auto answer = TRY(ask_cell(*cell_, path, limits_, Wanted::kObject, stop_));
  was_killed_ = was_killed(answer);
  was_garbled_ = answer.ending && std::holds_alternative<Garbled>(*answer.ending);
  if (answer.ending) cell_.reset();
  return to_sample(path, std::move(answer));
}

// A failed load is remembered: every further path would meet the same.
Result<void> SampleRunner::ensure_cell() {
  if (cell_) return {};
  if (!is_ready_) TRY(chamber_->await_ready());
  is_ready_ = true;
  auto loading = std::move(next_);
  if (!loading) {
    loading = begin_load(TRY(chamber_->make_cell(limits_)), *code_, limits_);
    loading->ask_ahead(expected_);
    has_taken_cells_ = true;
  }
  if (expects_another_) begin_next();
  auto loaded = TRY(finish_load(std::move(loading), limits_, stop_));
  walls_ = std::move(loaded.walls);
  cell_ = std::move(loaded.cell);
  if (cell_) return {};
  was_killed_ = was_killed(loaded.loaded);
  load_failure_ = to_sample("", std::move(loaded.loaded));
  return {};
}

}  // namespace airlock
