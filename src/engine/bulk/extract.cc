#include "engine/bulk/extract.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <utility>

#include "admit/cell_door.h"
#include "base/sha256.h"
#include "engine/bulk/line_share.h"
#include "engine/bulk/rows.h"
#include "engine/load/judged_code.h"
#include "engine/load/read_answer.h"
#include "model/rule.h"
#include "os/interrupts.h"
#include "run/cell_pool.h"

namespace airlock {

namespace {

// Bytes of paths in a batch: enough that a message's cost is spread, little enough that a cell
// which dies leaves few paths to be asked again.
constexpr std::size_t kBatchBytes = 32 * 1024;
// Bytes of rows that wait for earlier ones. Past this, only the cell that owes the next row is
// read.
constexpr std::size_t kMaxWaiting = 32 * 1024 * 1024;
// Batches under way for each cell, those that wait to be written included.
constexpr std::size_t kBatchesPerJob = 6;

// Turns what cells say into lines, through the inner door.
class RowMaker : public run::RowConsumer {
 public:
  // The limits must outlive it.
  explicit RowMaker(const RunLimits& limits) : limits_(limits), door_(limits) {}

  void take(run::Batch& batch, std::string_view path, const RawRow& row) override {
    const RowAnswer answer = door_.judge(row);
    if (answer.success) {
      append_row(batch.rows, path, answer.value);
      return;
    }
    const Failure failure{std::string(answer.error_type), std::string(answer.error)};
    fail_row(batch, path,
             answer.denials.empty() ? failure : describe_violation(answer.denials, failure));
  }

  void fail_path(run::Batch& batch, std::string_view path, const Ending& ending) override {
    fail_row(batch, path, describe_ending(ending, limits_));
  }

  // The code did not even load in a cell: every path gets that reason.
  void fail_all_after_load(run::Batch& batch, std::string_view path,
                           const RawOutcome& why) override {
    fail_row(batch, path, read_answer(why, Wanted::kNothing, limits_, 0).failure);
  }

  void fail_row(run::Batch& batch, std::string_view path, const Failure& failure) {
    append_failed_row(batch.rows, path, failure.type, failure.message);
    ++failed;
  }

  std::uint64_t failed = 0;

 private:
  const RunLimits& limits_;
  CellDoor door_;
};

// A denial that came when all rows had been answered has no row to stand in, so it fails the job.
std::unexpected<Error> after_last_row(std::span<const Denial> denials) {
  return refused("run the extractor: after its last row it went on: " +
                 describe_violation(denials, {}).message +
                 ". Its rows are not to be relied on; see what the code does outside of extract()");
}

using AtEnd = LoadedExtractor::AtEnd;

// The loop of the one thread. Batches go through three places in order: `held_` (being filled),
// `order_` (given to a cell), written.
class Job {
 public:
  Job(run::CellPool& pool, RowMaker& rows, PathInput& input, const Share& share, RowSink& sink,
      const Watcher& watcher, std::size_t jobs, const std::stop_token& stop)
      : pool_(pool),
        rows_(rows),
        input_(input),
        share_(share),
        sink_(sink),
        watcher_(watcher),
        stop_(stop),
        max_batches_(jobs * kBatchesPerJob) {}

  Result<JobEnd> run(AtEnd at_end) {
    while (!is_done()) {
      if (const auto signal = os::pending_interrupt()) return stopped(signal);
      if (stop_.stop_requested()) return fail("run the extractor: it was stopped");
      auto step = this->step();
      watcher_(progress());
      // A signal interrupts system calls; the error that comes of it is no error of the job.
      if (const auto signal = os::pending_interrupt(); signal && !step) return stopped(signal);
      TRY(std::move(step));
    }
    const auto late = at_end == AtEnd::kRest ? pool_.rest() : pool_.finish();
    if (!late.empty()) return after_last_row(late);
    TRY(share_.check_end());
    return stopped(std::nullopt);
  }

 private:
  JobEnd stopped(std::optional<int> signal) {
    watcher_(progress());
    return {progress(), signal};
  }

  bool is_done() const { return order_.empty() && !held_ && input_.is_finished(); }

  JobProgress progress() const {
    // Input that cells still work on is estimated by its share of the lines: paths are about
    // equally long.
    const std::uint64_t taken = input_.bytes_taken() - skipped_bytes_;
    const double share =
        given_ == 0 ? 0 : static_cast<double>(written_) / static_cast<double>(given_);
    auto in_all = input_.bytes_in_all();
    if (in_all) *in_all -= std::min(*in_all, skipped_bytes_);
    return {written_, rows_.failed, static_cast<std::uint64_t>(static_cast<double>(taken) * share),
            in_all};
  }

  // One turn: hand out what can be handed out, wait for input or for a cell, write what is next in
  // order.
  Result<void> step() {
    TRY(hand_out());
    const bool wants_input = wants_input_ && !input_.is_finished();
    const auto attention = waiting_ > kMaxWaiting ? run::CellPool::Attention::kOnlyFirst
                                                  : run::CellPool::Attention::kAll;
    const run::Batch* first = order_.empty() ? nullptr : order_.front().get();
    auto has_input = TRY(pool_.poll_once(wants_input ? input_.descriptor() : -1, first, attention));
    if (has_input) TRY(input_.read_more());
    return write_out();
  }

  // Gives lines to cells that want them. A cell that still has work gets full batches only; an idle
  // one takes whatever is there.
  Result<void> hand_out() {
    wants_input_ = false;
    while (order_.size() < max_batches_ && waiting_ <= kMaxWaiting) {
      const auto next_batch_wanted = pool_.next_batch_wanted();
      if (!next_batch_wanted) return {};
      if (!held_) held_ = std::make_unique<run::Batch>();
      TRY(fill(*held_, next_batch_wanted->paths));
      const bool is_full = held_->size() >= next_batch_wanted->paths ||
                           held_->bytes.size() >= kBatchBytes || input_.is_finished() || cut_line_;
      wants_input_ = !is_full;
      if (held_->size() == 0 && !cut_line_) {
        if (input_.is_finished()) held_.reset();
        return {};
      }
      // A long path goes alone, to a cell that waits for it.
      const bool is_heavy = held_->bytes.size() > kBatchBytes * 2;
      if ((!is_full || is_heavy) && !next_batch_wanted->is_idle) return {};
      TRY(assign(next_batch_wanted->slot));
    }
    return {};
  }

  // Up to `paths` lines, or kBatchBytes of them. A line that was cut ends it: it is answered by
  // itself, in its place.
  Result<void> fill(run::Batch& batch, std::size_t paths) {
    while (!cut_line_ && batch.size() < paths && batch.bytes.size() < kBatchBytes) {
      const auto line = input_.next();
      if (!line) return {};
      const auto verdict = TRY(share_.judge(line->text));
      if (verdict == LineShare::LineUse::kAnsweredBefore) skipped_bytes_ = input_.bytes_taken();
      if (verdict != LineShare::LineUse::kAnswer) continue;
      ++given_;
      if (line->was_cut) {
        cut_line_ = std::string(line->text);
      } else {
        batch.add(line->text);
      }
    }
    return {};
  }

  // The held batch goes to the cell; a line that was cut is answered here, as a batch of its own,
  // so that its row stands in its place.
  Result<void> assign(std::size_t slot) {
    if (held_->size() > 0) {
      order_.push_back(std::move(held_));
      TRY(pool_.assign(slot, *order_.back()));
    }
    if (cut_line_) {
      auto batch = std::make_unique<run::Batch>();
      rows_.fail_row(*batch, *cut_line_,
                     {"InputLimitError",
                      "The path is longer than 1 MiB; it is cut here, and "
                      "nothing was run on it"});
      batch->add("");
      batch->answered = 1;
      order_.push_back(std::move(batch));
      cut_line_.reset();
    }
    held_.reset();
    return {};
  }

  // Writes the rows that are next in order, as far as they have come.
  Result<void> write_out() {
    std::string ready;
    std::uint64_t rows = 0;
    waiting_ = 0;
    while (!order_.empty()) {
      run::Batch& batch = *order_.front();
      ready += batch.rows;
      batch.rows.clear();
      rows += batch.answered - reported_;
      reported_ = batch.answered;
      if (!batch.is_done()) break;
      reported_ = 0;
      order_.pop_front();
    }
    for (const auto& batch : order_) waiting_ += batch->rows.size();
    if (ready.empty()) return {};
    // While we wait for a slow reader of our output no cell is listened to. Cells must not be
    // blamed for that time, so their clocks start again.
    const auto start = std::chrono::steady_clock::now();
    TRY(sink_.write(ready));
    written_ += rows;
    if (std::chrono::steady_clock::now() - start > std::chrono::milliseconds(10))
      pool_.restart_path_clocks();
    return {};
  }

  run::CellPool& pool_;
  RowMaker& rows_;
  PathInput& input_;
  LineShare share_;
  RowSink& sink_;
  const Watcher& watcher_;
  const std::stop_token stop_;
  const std::size_t max_batches_;
  std::deque<std::unique_ptr<run::Batch>> order_;  // given, not written; the oldest first
  std::unique_ptr<run::Batch> held_;               // being filled
  std::optional<std::string> cut_line_;            // comes after what is held
  bool wants_input_ = false;
  std::uint64_t skipped_bytes_ = 0;
  std::uint64_t given_ = 0;  // lines that are to be rows of this job
  std::uint64_t written_ = 0;
  std::size_t reported_ = 0;  // of the first batch's answers
  std::size_t waiting_ = 0;   // bytes of rows that wait for earlier ones
};

}  // namespace

PreparedExtractor::PreparedExtractor() = default;
PreparedExtractor::PreparedExtractor(PreparedExtractor&&) noexcept = default;
PreparedExtractor& PreparedExtractor::operator=(PreparedExtractor&&) noexcept = default;
PreparedExtractor::~PreparedExtractor() = default;

Result<PreparedExtractor> prepare_extractor(const ExtractRequest& request) {
  ColdSupply cold(request.host_program);
  auto judged = TRY(judge_and_warm({.supply = request.supply != nullptr ? *request.supply : cold,
                                    .policy = request.policy,
                                    .raw = request.raw,
                                    .kind = request.kind,
                                    .warmth = Warmth::kNamedInText}));
  PreparedExtractor extractor;
  extractor.verdict = std::move(judged.verdict);
  const std::string& code = extractor.verdict.code;
  // Of the code as it runs; of the raw text when no code could be found in it.
  extractor.sha256 = sha256_hex(code.empty() ? request.raw : code);
  extractor.code = std::move(judged.code);
  if (extractor.code) TRY(judged.chamber->await_ready());
  extractor.chamber = std::move(judged.chamber);
  return extractor;
}

// In the order in which each needs those before it.
struct LoadedExtractor::Parts {
  Parts(PreparedExtractor extractor, const ExtractRequest& request)
      : plan{request.host_program, request.policy, *std::move(extractor.code), request.limits,
             request.jobs},
        rows(plan.limits),
        pool(std::move(extractor.chamber), plan, rows) {}

  Result<JobEnd> run(PathInput& input, const Share& share, RowSink& sink, const Watcher& watcher,
                     const std::stop_token& stop, AtEnd at_end) {
    rows.failed = 0;
    return Job(pool, rows, input, share, sink, watcher, plan.jobs, stop).run(at_end);
  }

  const run::CellPoolPlan plan;
  RowMaker rows;
  run::CellPool pool;
};

LoadedExtractor::LoadedExtractor(PreparedExtractor extractor, const ExtractRequest& request)
    : parts_(std::make_unique<Parts>(std::move(extractor), request)) {}
LoadedExtractor::~LoadedExtractor() = default;

Result<JobEnd> LoadedExtractor::run(PathInput& input, const Share& share, RowSink& sink,
                                    const Watcher& watcher, const std::stop_token& stop,
                                    AtEnd at_end) {
  parts_->pool.wake();
  return parts_->run(input, share, sink, watcher, stop, at_end);
}

bool LoadedExtractor::can_be_kept() const {
  return !parts_->pool.has_own_zygote();
}

Result<JobEnd> run_extractor(PreparedExtractor extractor, const ExtractRequest& request,
                             PathInput& input, const Share& share, RowSink& sink,
                             const Watcher& watcher) {
  return LoadedExtractor(std::move(extractor), request)
      .run(input, share, sink, watcher, request.stop, LoadedExtractor::AtEnd::kEndCells);
}

}  // namespace airlock
