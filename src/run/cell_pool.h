// The cells of a bulk job, one for each of `jobs` slots: made when there is work, replaced when
// they die. Single-threaded; that thread must
// outlive the pool, unless the pool rests when it passes to another one and has_own_zygote() is
// false.
//
// Guarantees: every path that is assigned is answered exactly once, within a batch in order. A path
// that hangs, crashes or exhausts memory costs only its own row. A path whose cell was killed from
// outside (SIGKILL, which no guest can send) is tried once more; a path that was denied a system
// call never is, and always fails. Failure: an Error means that no cell can be had on this host any
// more.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "run/bulk_cell.h"
#include "wire/bulk_messages.h"

namespace airlock::run {

// Consecutive paths of the input, worked on by one cell.
struct Batch {
  std::string bytes;  // the paths, one behind the other
  std::vector<std::size_t> ends;
  std::size_t answered = 0;
  std::string rows;  // what the answers became; the pool does not look at it
  // Paths that ended their cell: answered when it is their turn, never sent again.
  std::vector<std::pair<std::size_t, Ending>> fatal_paths;
  // Paths whose cell somebody killed: they are tried once more.
  std::vector<std::size_t> retry_paths;

  std::size_t size() const { return ends.size(); }
  bool is_done() const { return answered == ends.size(); }
  void add(std::string_view path) {
    bytes += path;
    ends.push_back(bytes.size());
  }
  std::string_view path(std::size_t index) const {
    const std::size_t from = index == 0 ? 0 : ends[index - 1];
    return std::string_view(bytes).substr(from, ends[index] - from);
  }
};

// Takes the answers.
class RowConsumer {
 public:
  virtual ~RowConsumer() = default;
  virtual void take(Batch& batch, std::string_view path, const RawRow& row) = 0;
  virtual void fail_path(Batch& batch, std::string_view path, const Ending& ending) = 0;
  // The code could not be loaded: this answers every path.
  virtual void fail_all_after_load(Batch& batch, std::string_view path, const RawOutcome& why) = 0;
};

struct CellPoolPlan {
  std::string host_program;
  Policy policy;
  Vetted code;
  RunLimits limits;
  std::size_t jobs = 1;
};

class CellPool {
 public:
  // `chamber` is warm, and may be shared. The others must outlive the pool.
  CellPool(std::shared_ptr<Chamber> chamber, const CellPoolPlan& plan, RowConsumer& answers);
  CellPool(const CellPool&) = delete;
  CellPool& operator=(const CellPool&) = delete;
  ~CellPool();

  // How many paths the slot that needs them most would take; nothing: all have enough.
  struct WantedBatch {
    std::size_t slot = 0;
    std::size_t paths = 0;
    bool is_idle = false;
  };
  std::optional<WantedBatch> next_batch_wanted() const;

  // The batch must stay where it is until it is done. An Error: no cell can be had on this host.
  Result<void> assign(std::size_t slot, Batch& batch);

  // Waits until something is there: rows (taken at once), a deadline, or `input` (a descriptor, -1
  // for none) readable. With Attention::kOnlyFirst, slots that do not work on `first` rest: there
  // is no room for what they would say. True when `input` is ready.
  enum class Attention { kAll, kOnlyFirst };
  Result<bool> poll_once(int input, const Batch* first, Attention attention);

  // No more batches, and none is at work: ends the cells. What was denied to one of them behind its
  // last row, and so stands in no row: nothing, as it should be.
  std::vector<Denial> finish();

  // The same for a pool that is given more later: its cells stand still until wake(). One that did
  // something behind its last row is ended.
  std::vector<Denial> rest();
  void wake();
  // Whether it has had to start a zygote of its own, which ends with the thread that did.
  bool has_own_zygote() const { return has_own_zygote_; }

  // The thread was away (writing to a slow reader): that time is nobody's fault.
  void restart_path_clocks();

  bool is_idle() const;

 private:
  struct Slot;
  using Clock = std::chrono::steady_clock;

  Result<void> ensure_cell(Slot& slot);
  Result<void> load(Slot& slot);
  void send_one(Slot& slot);
  Result<void> send(Slot& slot, Batch& batch);
  Result<void> send_all(Slot& slot);
  Result<void> receive_rows(Slot& slot);
  Result<void> serve_denials_of(Slot& slot);
  Result<void> take_rows(Slot& slot, const std::string& message);
  Result<void> replace(Slot& slot, std::optional<Ending> blame);
  static void mark_fatal(Slot& slot, const Ending& ending);
  static void mark_fatal(Slot& slot, std::size_t ahead, const Ending& ending);
  static void mark_denied_as_fatal(Slot& slot, std::span<const wire::BulkRow> rows);
  void release_cell(Slot& slot);
  Result<void> recover(Error trouble);
  Result<void> watch_clock(Slot& slot);
  void answer_fatal_paths(Batch& batch);
  void answer_load_failure(Batch& batch);
  void retire_finished_batches(Slot& slot);

  std::shared_ptr<Chamber> chamber_;
  const CellPoolPlan& plan_;
  RowConsumer& consumer_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<Denial> late_denials_;        // denied when no path was left to put it down to
  std::optional<RawOutcome> load_failure_;  // the code cannot be loaded, and this is why
  bool has_loaded_ = false;                 // once at least
  int failed_loads_ = 0;                    // in a row
  int recoveries_ = 0;                      // since the last row
  bool has_own_zygote_ = false;
};

}  // namespace airlock::run
