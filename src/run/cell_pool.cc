// The supervisor's side of the bulk job: one thread, one poll() over the sockets of all cells.
// (1) A slot has at most a few small batches under way, so that sending never blocks: what is
// under way fits into the socket. A longer path goes alone, to a cell that waits for it. (2) The
// clock of a path starts when the cell's counter moves or a row comes in; the counter is looked at
// every few milliseconds. It can only grow, and only to the number of paths sent, so that a cell
// that lies about it gains nothing but a bounded delay. A row ahead of it is garbled. (3) When a
// cell ends, the counter says which path is to blame; after a message that makes no sense, paths go
// one at a time until it shows. Paths before it whose rows were lost, and all after it, go to a
// fresh cell. (4) Memory that ran out in a cell that had answered other paths may be their fault:
// the path is tried once more, as the first of a fresh cell. Its answer there is final. (5) A call
// that was denied is in a row, whatever became of the cell: nothing that is tried again, here or in
// (3), had one; who lets go of a cell asks it for what is left (release_cell).
#include "run/cell_pool.h"

#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace airlock::run {

namespace {

constexpr std::size_t kFirstBatch = 8;
constexpr std::size_t kMaxBatch = 1024;
constexpr std::size_t kMaxBatchesInFlight = 3;
constexpr std::size_t kMaxBytesInFlight = 96 * 1024;
constexpr std::size_t kOverhead = 8;  // bytes of a path on the wire beside itself, at most
constexpr auto kShortBatch = std::chrono::milliseconds(10);
constexpr auto kLongBatch = std::chrono::milliseconds(40);
// Well inside the processor time that a cell has (guest/cell.cc).
constexpr auto kCellLifetime = std::chrono::minutes(20);
constexpr int kMaxMessagesPerPoll = 64;  // messages of one cell in one poll_once()
constexpr int kMaxRecoveries = 3;
constexpr int kMaxFailedLoads = 3;
constexpr auto kLongestTick = std::chrono::milliseconds(20);

std::size_t cost(const Batch& batch) {
  return batch.bytes.size() + batch.size() * kOverhead;
}

Ending garbled_with(std::vector<Denial> denials) {
  Garbled ending;
  ending.notes.denials = std::move(denials);
  return ending;
}

bool is_fatal(const Batch& batch, std::size_t index) {
  return std::ranges::any_of(batch.fatal_paths,
                             [&](const auto& one) { return one.first == index; });
}

}  // namespace

struct CellPool::Slot {
  std::unique_ptr<BulkCell> cell;
  std::deque<Batch*> work;  // given, not done; the oldest first
  std::size_t bytes = 0;    // of all of them
  std::uint64_t sent = 0;   // paths, to this cell
  std::uint64_t answered = 0;
  std::uint64_t started = 0;  // the counter when it was last looked at
  Clock::time_point since;    // when the counter or the rows last moved
  Clock::time_point created;
  Clock::time_point batch_began;
  std::size_t batch_size = kFirstBatch;
  bool sends_one_at_a_time = false;  // one path at a time, until all that was given is done

  bool is_past_lifetime(Clock::time_point now) const {
    return cell && now - created > kCellLifetime;
  }
};

CellPool::CellPool(std::shared_ptr<Chamber> chamber, const CellPoolPlan& plan, RowConsumer& answers)
    : chamber_(std::move(chamber)), plan_(plan), consumer_(answers) {
  for (std::size_t i = 0; i < plan.jobs; ++i) slots_.push_back(std::make_unique<Slot>());
}

CellPool::~CellPool() {
  slots_.clear();  // cells end before their zygote
}

std::vector<Denial> CellPool::finish() {
  for (auto& slot : slots_) release_cell(*slot);
  return std::move(late_denials_);
}

std::vector<Denial> CellPool::rest() {
  for (auto& slot : slots_) {
    if (!slot->cell) continue;
    BulkCell::Rest rest = slot->cell->rest();
    if (rest.was_quiet) continue;
    slot->cell.reset();
    late_denials_.insert(late_denials_.end(), rest.denials.begin(), rest.denials.end());
  }
  return std::move(late_denials_);
}

void CellPool::wake() {
  for (auto& slot : slots_) {
    if (slot->cell) slot->cell->wake();
  }
  restart_path_clocks();
}

// Ends the slot's cell. What was denied to it and stands in no row fails the next path that has
// none, and the job when there is no such path.
void CellPool::release_cell(Slot& slot) {
  if (!slot.cell) return;
  std::vector<Denial> denials = slot.cell->finish();
  slot.cell.reset();
  if (denials.empty()) return;
  if (slot.work.empty()) {
    late_denials_.insert(late_denials_.end(), denials.begin(), denials.end());
  } else {
    mark_fatal(slot, 0, garbled_with(std::move(denials)));
  }
}

std::optional<CellPool::WantedBatch> CellPool::next_batch_wanted() const {
  const Slot* best = nullptr;
  std::size_t index = 0;
  const auto now = Clock::now();
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = *slots_[i];
    if (slot.work.size() >= kMaxBatchesInFlight || slot.bytes >= kMaxBytesInFlight) continue;
    if ((slot.is_past_lifetime(now) || slot.sends_one_at_a_time) && !slot.work.empty()) continue;
    if (best == nullptr || slot.work.size() < best->work.size()) {
      best = &slot;
      index = i;
    }
  }
  if (best == nullptr) return std::nullopt;
  return WantedBatch{index, best->batch_size, best->work.empty()};
}

bool CellPool::is_idle() const {
  return std::ranges::all_of(slots_, [](const auto& slot) { return slot->work.empty(); });
}

Result<void> CellPool::assign(std::size_t index, Batch& batch) {
  Slot& slot = *slots_[index];
  if (load_failure_) {
    answer_load_failure(batch);
    return {};
  }
  const auto now = Clock::now();
  const bool was_idle = slot.work.empty();
  slot.work.push_back(&batch);
  slot.bytes += cost(batch);
  if (was_idle) {
    slot.since = slot.batch_began = now;
    if (slot.is_past_lifetime(now)) release_cell(slot);
  }
  if (!slot.cell) return send_all(slot);
  return send(slot, batch);
}

// The next path that is waiting, alone.
void CellPool::send_one(Slot& slot) {
  for (Batch* batch : slot.work) {
    for (std::size_t i = batch->answered; i < batch->size(); ++i) {
      if (is_fatal(*batch, i)) continue;
      ++slot.sent;
      slot.cell->send(std::array{batch->path(i)});
      return;
    }
  }
}

Result<void> CellPool::send(Slot& slot, Batch& batch) {
  std::vector<std::string_view> paths;
  paths.reserve(batch.size() - batch.answered);
  for (std::size_t i = batch.answered; i < batch.size(); ++i) {
    if (!is_fatal(batch, i)) paths.push_back(batch.path(i));
  }
  slot.sent += paths.size();
  // A cell that is gone is noticed when its answer is read.
  if (!paths.empty()) slot.cell->send(paths);
  return {};
}

Result<void> CellPool::send_all(Slot& slot) {
  TRY(ensure_cell(slot));
  retire_finished_batches(slot);
  if (!slot.cell) return {};
  // More than fits into the socket is only there after a death; a fresh cell reads while we write.
  const std::deque<Batch*> work = slot.work;
  if (slot.sends_one_at_a_time) {
    send_one(slot);
  } else {
    for (Batch* batch : work) TRY(send(slot, *batch));
  }
  slot.since = slot.batch_began = Clock::now();
  return {};
}

// After it there is a cell, or everything is answered because the code cannot be loaded.
Result<void> CellPool::ensure_cell(Slot& slot) {
  while (!slot.cell) {
    if (load_failure_) {
      for (Batch* batch : slot.work) answer_load_failure(*batch);
      return {};
    }
    auto made = BulkCell::make(*chamber_, plan_.limits);
    if (!made) {
      TRY(recover(std::move(made).error()));
      continue;
    }
    slot.cell = std::move(*made);
    TRY(load(slot));
  }
  return {};
}

Result<void> CellPool::load(Slot& slot) {
  auto loaded = slot.cell->load(plan_.code, plan_.limits);
  if (slot.cell->trouble()) {
    Error trouble = *slot.cell->trouble();
    slot.cell.reset();
    return recover(std::move(trouble));
  }
  if (loaded.claims_success()) {
    slot.sent = slot.answered = slot.started = 0;
    slot.created = Clock::now();
    has_loaded_ = true;
    failed_loads_ = 0;
    restart_path_clocks();
    return {};
  }
  slot.cell.reset();
  restart_path_clocks();
  // It was fine before: bad luck, some times. A denied call is none.
  const bool was_denied = !loaded.denials().empty();
  if (has_loaded_ && !was_denied && ++failed_loads_ < kMaxFailedLoads) return {};
  load_failure_ = std::move(loaded);
  return {};
}

void CellPool::answer_load_failure(Batch& batch) {
  while (!batch.is_done()) {
    consumer_.fail_all_after_load(batch, batch.path(batch.answered), *load_failure_);
    ++batch.answered;
  }
}

void CellPool::answer_fatal_paths(Batch& batch) {
  while (!batch.fatal_paths.empty()) {
    const auto one = std::ranges::find(batch.fatal_paths, batch.answered,
                                       &std::pair<std::size_t, Ending>::first);
    if (one == batch.fatal_paths.end()) return;
    consumer_.fail_path(batch, batch.path(batch.answered), one->second);
    batch.fatal_paths.erase(one);
    ++batch.answered;
  }
}

// Lets go of batches that are done, and learns from how long the first one took.
void CellPool::retire_finished_batches(Slot& slot) {
  while (!slot.work.empty()) {
    Batch& batch = *slot.work.front();
    answer_fatal_paths(batch);
    if (!batch.is_done()) return;
    const auto now = Clock::now();
    const auto took = now - slot.batch_began;
    if (took < kShortBatch) slot.batch_size = std::min(slot.batch_size * 2, kMaxBatch);
    if (took > kLongBatch) slot.batch_size = std::max<std::size_t>(slot.batch_size / 2, 1);
    slot.batch_began = now;
    slot.bytes -= cost(batch);
    slot.work.pop_front();
  }
  slot.sends_one_at_a_time = false;
}

// The zygote is gone, or gave no cell. Somebody may have killed it: all cells went with it, nobody
// is to blame.
Result<void> CellPool::recover(Error trouble) {
  if (++recoveries_ > kMaxRecoveries) return std::unexpected(std::move(trouble));
  for (auto& slot : slots_) release_cell(*slot);
  has_own_zygote_ = true;
  chamber_.reset();
  auto chamber = TRY(Chamber::start(plan_.host_program, plan_.policy));
  TRY(chamber->await_ready());
  chamber_ = std::move(chamber);
  return {};
}

// Finds the path that the cell was at when it ended.
void CellPool::mark_fatal(Slot& slot, const Ending& ending) {
  const std::uint64_t waiting = slot.sent - slot.answered;
  if (waiting == 0) return;
  const std::uint64_t ahead = slot.started > slot.answered ? slot.started - slot.answered - 1 : 0;
  mark_fatal(slot, std::min(ahead, waiting - 1), ending);
}

// The path that has so many waiting ones before it.
void CellPool::mark_fatal(Slot& slot, std::size_t ahead, const Ending& ending) {
  for (Batch* batch : slot.work) {
    for (std::size_t i = batch->answered; i < batch->size(); ++i) {
      if (is_fatal(*batch, i) || ahead-- > 0) continue;
      // No code in a cell can send this signal: it came from outside.
      const auto* crash = std::get_if<Crashed>(&ending);
      const bool is_foreign =
          crash != nullptr && crash->signal == SIGKILL && crash->notes.denials.empty();
      if (is_foreign && std::ranges::find(batch->retry_paths, i) == batch->retry_paths.end()) {
        batch->retry_paths.push_back(i);
      } else {
        batch->fatal_paths.emplace_back(i, ending);
      }
      return;
    }
  }
}

// Of rows that are not taken, because their paths will be tried again: those that were denied a
// call are not. The first of them is of the next path that waits.
void CellPool::mark_denied_as_fatal(Slot& slot, std::span<const wire::BulkRow> rows) {
  // From the last on, so that each still has as many before it as it has here.
  for (std::size_t i = rows.size(); i-- > 0;) {
    if (!rows[i].denials.empty()) mark_fatal(slot, i, garbled_with(rows[i].denials));
  }
}

// A fresh cell for the slot, and in it all that is not answered, but for the path that is to
// blame.
Result<void> CellPool::replace(Slot& slot, std::optional<Ending> blame) {
  // Words that make no sense came while the cell went on: which path they are of shows when each
  // goes alone.
  const bool is_unclear = blame && std::holds_alternative<Garbled>(*blame) &&
                          !slot.sends_one_at_a_time && final_notes(*blame).denials.empty();
  if (is_unclear) {
    slot.sends_one_at_a_time = true;
  } else if (blame) {
    mark_fatal(slot, *blame);
  }
  release_cell(slot);
  retire_finished_batches(slot);
  return slot.work.empty() ? Result<void>{} : send_all(slot);
}

Result<void> CellPool::receive_rows(Slot& slot) {
  // Not for ever: others wait, and so does the clock.
  for (int message_count = 0; slot.cell && message_count < kMaxMessagesPerPoll; ++message_count) {
    const auto message = slot.cell->receive_now();
    if (message) {
      TRY(take_rows(slot, *message));
      continue;
    }
    if (message.error() == os::NoMessage::kTimedOut) return {};
    slot.started = std::min(slot.cell->started(), slot.sent);
    const bool is_garbled = message.error() == os::NoMessage::kTooLong;
    const Ending ending = is_garbled ? slot.cell->end(false) : slot.cell->end_after_close();
    if (slot.cell->trouble()) return recover(*slot.cell->trouble());
    return replace(slot, is_garbled ? Ending(Garbled{final_notes(ending)}) : ending);
  }
  return {};
}

// Calls that are denied wait for us. A cell that makes nothing else has had its turn.
Result<void> CellPool::serve_denials_of(Slot& slot) {
  if (!slot.cell || slot.cell->serve_denials()) return {};
  slot.started = std::min(slot.cell->started(), slot.sent);
  const Ending ending = slot.cell->flooded();
  if (slot.cell->trouble()) return recover(*slot.cell->trouble());
  return replace(slot, ending);
}

Result<void> CellPool::take_rows(Slot& slot, const std::string& message) {
  const auto rows = slot.cell->read_rows(message);
  const auto is_too_large = [&](const wire::BulkRow& row) {
    return row.value.size() > plan_.limits.result_bytes;
  };
  if (!rows || std::ranges::any_of(*rows, is_too_large)) {
    slot.started = std::min(slot.cell->started(), slot.sent);
    const Ending ending = slot.cell->end(false);
    if (rows) mark_denied_as_fatal(slot, *rows);
    if (slot.cell->trouble()) return recover(*slot.cell->trouble());
    return replace(slot, Garbled{final_notes(ending)});
  }
  recoveries_ = 0;
  slot.since = Clock::now();
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const wire::BulkRow& row = (*rows)[i];
    const bool is_out_of_memory = !row.success && row.error_type == "MemoryError";
    if (is_out_of_memory && slot.answered > 0 && row.denials.empty()) {
      mark_denied_as_fatal(slot, std::span(*rows).subspan(i));
      return replace(slot, std::nullopt);
    }
    Batch& batch = *slot.work.front();
    consumer_.take(batch, batch.path(batch.answered),
                   RawRow(row.success, row.value, row.error_type, row.error, row.denials));
    ++batch.answered;
    ++slot.answered;
    retire_finished_batches(slot);
    if (is_out_of_memory) {
      mark_denied_as_fatal(slot, std::span(*rows).subspan(i + 1));
      return replace(slot, std::nullopt);
    }
  }
  if (slot.sends_one_at_a_time && slot.cell && slot.sent == slot.answered) send_one(slot);
  return {};
}

Result<void> CellPool::watch_clock(Slot& slot) {
  if (!slot.cell || slot.work.empty()) return {};
  const auto now = Clock::now();
  const std::uint64_t started = std::min(slot.cell->started(), slot.sent);
  if (started > slot.started) {
    slot.started = started;
    slot.since = now;
  }
  if (now - slot.since < std::chrono::milliseconds(plan_.limits.timeout_ms)) return {};
  const Ending ending = slot.cell->end(true);
  if (slot.cell->trouble()) return recover(*slot.cell->trouble());
  return replace(slot, ending);
}

void CellPool::restart_path_clocks() {
  for (auto& slot : slots_) slot->since = Clock::now();
}

Result<bool> CellPool::poll_once(int input, const Batch* first, Attention attention) {
  std::vector<pollfd> waiting{{input, POLLIN, 0}};
  std::vector<Slot*> polled;
  for (auto& slot : slots_) {
    // What went down with a zygote.
    if (!slot->cell && !slot->work.empty()) TRY(send_all(*slot));
    if (!slot->cell) continue;
    const bool is_first = !slot->work.empty() && slot->work.front() == first;
    if (attention == Attention::kOnlyFirst && !is_first) {
      slot->since = Clock::now();
      continue;
    }
    waiting.push_back({slot->cell->descriptor(), POLLIN, 0});
    waiting.push_back({slot->cell->listener(), POLLIN, 0});
    polled.push_back(slot.get());
  }
  const auto tick = std::clamp(std::chrono::milliseconds(plan_.limits.timeout_ms / 50),
                               std::chrono::milliseconds(1), kLongestTick);
  const int ready = ::poll(waiting.data(), waiting.size(), static_cast<int>(tick.count()));
  if (ready < 0 && errno != EINTR) return fail_errno("wait for the cells");
  for (std::size_t i = 0; i < polled.size(); ++i) {
    if (ready > 0 && waiting[2 * i + 2].revents != 0) TRY(serve_denials_of(*polled[i]));
    if (ready > 0 && waiting[2 * i + 1].revents != 0) TRY(receive_rows(*polled[i]));
    TRY(watch_clock(*polled[i]));
  }
  return ready > 0 && waiting[0].revents != 0;
}

}  // namespace airlock::run
