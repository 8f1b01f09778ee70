// The cells of a bulk job: one for each of `jobs` places, made when there is work for it, replaced
// when it dies. Every path that is given is answered exactly once, and within a batch in order; a
// path that hangs, crashes or runs out of memory costs only its own row. Used by one thread, which
// must outlive it.
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
  std::string rows;  // what the answers became; the crew does not look at it
  // Paths that ended their cell: answered when it is their turn, never sent again.
  std::vector<std::pair<std::size_t, Ending>> condemned;
  // Paths whose cell somebody killed: they are tried once more.
  std::vector<std::size_t> doubted;

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
class Answers {
 public:
  virtual ~Answers() = default;
  virtual void take(Batch& batch, std::string_view path, const wire::Row& row) = 0;
  virtual void lose(Batch& batch, std::string_view path, const Ending& ending) = 0;
  // The code could not be loaded: this answers every path.
  virtual void unloadable(Batch& batch, std::string_view path, const GuestOutcome& why) = 0;
};

struct CrewPlan {
  std::string host_program;
  Policy policy;
  std::string compiled;
  RunLimits limits;
  std::size_t jobs = 1;
};

class Crew {
 public:
  // `chamber` is warm. The others must outlive the crew.
  Crew(std::unique_ptr<Chamber> chamber, const CrewPlan& plan, Answers& answers);
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew();

  // How many paths the place that needs them most would take; nothing: all have enough.
  struct Appetite {
    std::size_t place = 0;
    std::size_t paths = 0;
    bool is_idle = false;
  };
  std::optional<Appetite> appetite() const;

  // The batch must stay where it is until it is done. An Error: no cell can be had on this host.
  Result<void> give(std::size_t place, Batch& batch);

  // Waits until something is there: rows (taken at once), a deadline, or `input` (a descriptor, -1
  // for none) readable. Places that do not work on `first` rest while `only_first` holds: there is
  // no room for what they would say. True when `input` is ready.
  enum class Attention { kAll, kOnlyFirst };
  Result<bool> turn(int input, const Batch* first, Attention attention);

  // No more batches, and none is at work: ends the cells. What was denied to one of them behind its
  // last row, and so stands in no row: nothing, as it should be.
  std::vector<Denial> finish();

  // The thread was away (writing to a slow reader): that time is nobody's fault.
  void forgive_lost_time();

  bool is_idle() const;

 private:
  struct Place;
  using Clock = std::chrono::steady_clock;

  Result<void> ensure_cell(Place& place);
  Result<void> load(Place& place);
  void send_one(Place& place);
  Result<void> send(Place& place, Batch& batch);
  Result<void> send_all(Place& place);
  Result<void> hear(Place& place);
  Result<void> hear_denials(Place& place);
  Result<void> take_rows(Place& place, const std::string& message);
  Result<void> replace(Place& place, std::optional<Ending> blame);
  static void condemn(Place& place, const Ending& ending);
  static void condemn(Place& place, std::size_t ahead, const Ending& ending);
  static void condemn_denied(Place& place, std::span<const wire::Row> rows);
  void let_go(Place& place);
  Result<void> recover(Error trouble);
  Result<void> watch_clock(Place& place);
  void answer_condemned(Batch& batch);
  void answer_unloadable(Batch& batch);
  void settle(Place& place);

  std::unique_ptr<Chamber> chamber_;
  const CrewPlan& plan_;
  Answers& answers_;
  std::vector<std::unique_ptr<Place>> places_;
  std::vector<Denial> late_;  // denied when no path was left to put it down to
  std::optional<GuestOutcome> load_failure_;
  std::optional<Ending> load_ending_;
  bool has_loaded_ = false;  // once at least
  int failed_loads_ = 0;     // in a row
  int recoveries_ = 0;       // since the last row
};

}  // namespace airlock::run
