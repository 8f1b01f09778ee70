// Three steps: lines are gathered into a PathBatch (by the thread that reads), a batch becomes rows
// (by one of RuleThreads, or by the reader itself when there is none), rows are written in order
// (by the reader). A batch belongs to one thread at a time, and changes hands under RuleThreads'
// mutex.
#include "engine/bulk/rule_job.h"

#include <poll.h>

#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "engine/bulk/line_share.h"
#include "engine/bulk/rows.h"
#include "engine/bulk/rule_rows.h"
#include "os/interrupts.h"

namespace airlock {

namespace {

// Bytes of paths in a batch: some thousand paths, so that the mutex is taken rarely.
constexpr std::size_t kRuleBatchBytes = 128 * 1024;
constexpr std::size_t kBatchRows = 256 * 1024;  // bytes of rows, when they are made at once
// Batches under way for each thread, so that none waits for the writer.
constexpr std::size_t kRuleBatchesPerJob = 4;

// Paths, and the rows that are made of them. Reused from batch to batch.
struct PathBatch {
  struct BatchLine {
    std::size_t end;
    bool was_cut;
  };
  std::string bytes;  // the paths, one behind the other
  std::vector<BatchLine> lines;
  std::string rows;
  std::uint64_t failed = 0;
  std::uint64_t answered = 0;  // without being in `lines`
  bool is_done = false;

  bool is_full() const { return bytes.size() >= kRuleBatchBytes || rows.size() >= kBatchRows; }
  std::uint64_t count() const { return lines.size() + answered; }
  void clear() {
    bytes.clear();
    lines.clear();
    rows.clear();
    failed = 0;
    answered = 0;
    is_done = false;
  }
};

void make_row(const RuleRows& rows, rules::Match& scratch, std::string_view path, bool was_cut,
              PathBatch& batch) {
  if (was_cut) {
    append_failed_row(batch.rows, path, "InputLimitError",
                      "The path is longer than 1 MiB; it is cut here, and nothing was run on it");
    ++batch.failed;
  } else if (!rows.append(batch.rows, path, scratch)) {
    ++batch.failed;
  }
}

void make_rows(const RuleRows& rows, rules::Match& scratch, PathBatch& batch) {
  std::size_t start = 0;
  for (const PathBatch::BatchLine& line : batch.lines) {
    make_row(rows, scratch, std::string_view(batch.bytes).substr(start, line.end - start),
             line.was_cut, batch);
    start = line.end;
  }
}

// Threads that turn batches into rows. With none, rows are made line by line.
class RuleThreads {
 public:
  RuleThreads(const rules::Matcher& matcher, std::size_t jobs) : rows_(matcher) {
    try {
      for (std::size_t i = 0; jobs > 1 && i < jobs; ++i) threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch)
      // As many as the system gives; without any, the reading thread makes the rows.
    }
  }
  RuleThreads(const RuleThreads&) = delete;
  RuleThreads& operator=(const RuleThreads&) = delete;
  ~RuleThreads() {
    {
      const std::scoped_lock lock(mutex_);
      is_over_ = true;
      waiting_.clear();
    }
    there_is_work_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  bool has_threads() const { return !threads_.empty(); }

  // On the calling thread, at once.
  void answer(std::string_view path, bool was_cut, PathBatch& batch) {
    make_row(rows_, scratch_, path, was_cut, batch);
    ++batch.answered;
  }

  // The batch must stay where it is until is_done() or await() says that it is done.
  void give(PathBatch& batch) {
    if (threads_.empty()) {
      batch.is_done = true;
      return;
    }
    {
      const std::scoped_lock lock(mutex_);
      waiting_.push_back(&batch);
    }
    there_is_work_.notify_one();
  }

  // An Error: a thread had to give up, and the batch has no rows.
  Result<void> await(const PathBatch& batch) {
    if (threads_.empty()) return {};
    std::unique_lock lock(mutex_);
    one_is_done_.wait(lock, [&] { return batch.is_done || has_failed_; });
    if (has_failed_)
      return bad_request(
          "match the rules: a thread ran out of memory; ask for fewer --jobs, or raise the limit "
          "(ulimit -v)");
    return {};
  }

  bool is_done(const PathBatch& batch) {
    const std::scoped_lock lock(mutex_);
    return batch.is_done && !has_failed_;
  }

 private:
  void work() {
    rules::Match scratch;
    std::unique_lock lock(mutex_);
    while (true) {
      there_is_work_.wait(lock, [&] { return is_over_ || !waiting_.empty(); });
      if (is_over_) return;
      PathBatch* batch = waiting_.front();
      waiting_.pop_front();
      // Matching runs unlocked; the batch is this thread's alone until it is marked as done.
      lock.unlock();
      const bool is_made = try_to_make_rows(scratch, *batch);
      lock.lock();
      has_failed_ = has_failed_ || !is_made;
      batch->is_done = true;
      one_is_done_.notify_one();
    }
  }

  // An exception (no memory) that leaves a thread would end the program.
  bool try_to_make_rows(rules::Match& scratch, PathBatch& batch) noexcept {
    try {
      make_rows(rows_, scratch, batch);
      return true;
    } catch (const std::exception&) {
      return false;
    }
  }

  RuleRows rows_;
  rules::Match scratch_;
  std::mutex mutex_;
  std::condition_variable there_is_work_;
  std::condition_variable one_is_done_;
  std::deque<PathBatch*> waiting_;
  bool is_over_ = false;
  bool has_failed_ = false;           // a thread could not make the rows of its batch
  std::vector<std::thread> threads_;  // last: they use all of the above
};

class RuleJob {
 public:
  RuleJob(const rules::Matcher& matcher, std::size_t jobs, PathInput& input, const Share& share,
          RowSink& sink, const Watcher& watcher)
      : input_(input),
        share_(share),
        sink_(sink),
        watcher_(watcher),
        most_batches_(jobs > 1 ? jobs * kRuleBatchesPerJob : 1),
        matching_(matcher, jobs) {}

  Result<JobEnd> run() {
    while (!input_.is_finished()) {
      if (const auto signal = os::pending_interrupt()) return JobEnd{progress_, signal};
      auto step = this->step();
      watcher_(progress_);
      if (const auto signal = os::pending_interrupt(); signal && !step)
        return JobEnd{progress_, signal};
      TRY(std::move(step));
    }
    auto rest = finish();
    watcher_(progress_);
    TRY(std::move(rest));
    return JobEnd{progress_, std::nullopt};
  }

 private:
  Result<void> step() {
    TRY(gather());
    if (held_->is_full()) return hand_over();
    // A person typing, or a slow pipe: what has been read is answered before we wait for more.
    if (!has_input()) {
      TRY(hand_over());
      TRY(write_out(WriteOut::kAll));
    }
    return input_.read_more();
  }

  bool has_input() const {
    pollfd descriptor{input_.descriptor(), POLLIN, 0};
    return ::poll(&descriptor, 1, 0) != 0;
  }

  // Fills the held batch with what is in the input's buffer; does not wait for more.
  Result<void> gather() {
    if (!held_) held_ = take_spare();
    while (!held_->is_full()) {
      const auto line = input_.next();
      if (!line) return {};
      const auto verdict = TRY(share_.judge(line->text));
      if (verdict == LineShare::LineUse::kAnsweredBefore) skipped_bytes_ = input_.bytes_taken();
      if (verdict != LineShare::LineUse::kAnswer) continue;
      take(*line);
    }
    return {};
  }

  // A thread gets a copy of the lines; without threads they are matched where they are.
  void take(const InputLine& line) {
    if (matching_.has_threads()) {
      held_->bytes += line.text;
      held_->lines.push_back({held_->bytes.size(), line.was_cut});
    } else {
      matching_.answer(line.text, line.was_cut, *held_);
    }
  }

  std::unique_ptr<PathBatch> take_spare() {
    if (spare_.empty()) return std::make_unique<PathBatch>();
    auto batch = std::move(spare_.back());
    spare_.pop_back();
    batch->clear();
    return batch;
  }

  Result<void> hand_over() {
    if (held_->count() == 0) return {};
    order_.push_back(std::move(held_));
    matching_.give(*order_.back());
    TRY(write_out(WriteOut::kOnlyFinished));
    held_ = take_spare();
    return {};
  }

  // Writes finished batches in order; when too many are under way, waits for the first of them.
  enum class WriteOut { kOnlyFinished, kAll };
  // Waiting for the first batch is what keeps memory bounded: no more input is read meanwhile.
  Result<void> write_out(WriteOut how) {
    while (!order_.empty()) {
      PathBatch& first = *order_.front();
      if (how == WriteOut::kAll || order_.size() >= most_batches_) TRY(matching_.await(first));
      if (!matching_.is_done(first)) return {};
      TRY(sink_.write(first.rows));
      progress_.rows += first.count();
      progress_.failed += first.failed;
      progress_.bytes_done = input_.bytes_taken() - skipped_bytes_;
      progress_.bytes_in_all = input_.bytes_in_all();
      if (progress_.bytes_in_all)
        *progress_.bytes_in_all -= std::min(*progress_.bytes_in_all, skipped_bytes_);
      spare_.push_back(std::move(order_.front()));
      order_.pop_front();
    }
    return {};
  }

  Result<void> finish() {
    if (!held_) held_ = take_spare();
    TRY(hand_over());
    TRY(write_out(WriteOut::kAll));
    return share_.check_end();
  }

  PathInput& input_;
  LineShare share_;
  RowSink& sink_;
  const Watcher& watcher_;
  const std::size_t most_batches_;
  JobProgress progress_;
  std::uint64_t skipped_bytes_ = 0;
  std::unique_ptr<PathBatch> held_;               // being filled
  std::deque<std::unique_ptr<PathBatch>> order_;  // given, not written; the oldest first
  std::vector<std::unique_ptr<PathBatch>> spare_;
  RuleThreads matching_;  // last: its threads end before the batches do
};

}  // namespace

Result<JobEnd> run_rules(const rules::Matcher& matcher, std::size_t jobs, PathInput& input,
                         const Share& share, RowSink& sink, const Watcher& watcher) {
  return RuleJob(matcher, jobs, input, share, sink, watcher).run();
}

}  // namespace airlock
