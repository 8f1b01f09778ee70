// The supervisor's side of the bulk job: one thread, one poll() over the sockets of all cells.
// (1) A place has at most a few small batches under way, so that sending never blocks: what is
// under way fits into the socket. A longer path goes alone, to a cell that waits for it. (2) The
// clock of a path starts when the cell's counter moves or a row comes in; the counter is looked at
// every few milliseconds. It can only grow, and only to the number of paths sent, so that a cell
// that lies about it gains nothing but a bounded delay. A row ahead of it is garbled. (3) When a
// cell ends, the counter says which path is to blame; after words that make no sense, paths go one
// at a time until it shows. Paths before it whose rows were lost, and all after it, go to a fresh
// cell. (4) Memory that ran out in a cell that had answered other paths may be their fault: the
// path is tried once more, as the first of a fresh cell. Its answer there is final. (5) A call that
// was denied is in a row, whatever became of the cell: nothing that is tried again, here or in (3),
// had one; who lets go of a cell asks it for what is left (let_go).
#include "run/crew.h"

#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace airlock::run {

namespace {

constexpr std::size_t kFirstBatch = 8;
constexpr std::size_t kMaxBatch = 1024;
constexpr std::size_t kMaxUnderWay = 3;
constexpr std::size_t kMaxBytesUnderWay = 96 * 1024;
constexpr std::size_t kOverhead = 8;  // bytes of a path on the wire beside itself, at most
constexpr auto kShortBatch = std::chrono::milliseconds(10);
constexpr auto kLongBatch = std::chrono::milliseconds(40);
// Well inside the processor time that a cell has (guest/cell.cc).
constexpr auto kCellLife = std::chrono::minutes(20);
constexpr int kMostHeard = 64;  // messages of one cell in one turn
constexpr int kMaxRecoveries = 3;
constexpr int kMaxFailedLoads = 3;
constexpr auto kLongestTick = std::chrono::milliseconds(20);

std::size_t cost(const Batch& batch) {
  return batch.bytes.size() + batch.size() * kOverhead;
}

Ending garbled_with(std::vector<Denial> denials) {
  Garbled ending;
  ending.words.denials = std::move(denials);
  return ending;
}

bool is_condemned(const Batch& batch, std::size_t index) {
  return std::ranges::any_of(batch.condemned, [&](const auto& one) { return one.first == index; });
}

}  // namespace

struct Crew::Place {
  std::unique_ptr<BulkCell> cell;
  std::deque<Batch*> work;  // given, not done; the oldest first
  std::size_t bytes = 0;    // of all of them
  std::uint64_t sent = 0;   // paths, to this cell
  std::uint64_t answered = 0;
  std::uint64_t started = 0;  // the counter when it was last looked at
  Clock::time_point since;    // when the counter or the rows last moved
  Clock::time_point born;
  Clock::time_point batch_began;
  std::size_t batch_size = kFirstBatch;
  bool is_careful = false;  // one path at a time, until all that was given is done

  bool is_worn_out(Clock::time_point now) const { return cell && now - born > kCellLife; }
};

Crew::Crew(std::unique_ptr<Chamber> chamber, const CrewPlan& plan, Answers& answers)
    : chamber_(std::move(chamber)), plan_(plan), answers_(answers) {
  for (std::size_t i = 0; i < plan.jobs; ++i) places_.push_back(std::make_unique<Place>());
}

Crew::~Crew() {
  places_.clear();  // cells end before their zygote
}

std::vector<Denial> Crew::finish() {
  for (auto& place : places_) let_go(*place);
  return std::move(late_);
}

// Ends the place's cell. What was denied to it and stands in no row fails the next path that has
// none, and the job when there is no such path.
void Crew::let_go(Place& place) {
  if (!place.cell) return;
  std::vector<Denial> denials = place.cell->finish();
  place.cell.reset();
  if (denials.empty()) return;
  if (place.work.empty()) {
    late_.insert(late_.end(), denials.begin(), denials.end());
  } else {
    condemn(place, 0, garbled_with(std::move(denials)));
  }
}

std::optional<Crew::Appetite> Crew::appetite() const {
  const Place* best = nullptr;
  std::size_t index = 0;
  const auto now = Clock::now();
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = *places_[i];
    if (place.work.size() >= kMaxUnderWay || place.bytes >= kMaxBytesUnderWay) continue;
    if ((place.is_worn_out(now) || place.is_careful) && !place.work.empty()) continue;
    if (best == nullptr || place.work.size() < best->work.size()) {
      best = &place;
      index = i;
    }
  }
  if (best == nullptr) return std::nullopt;
  return Appetite{index, best->batch_size, best->work.empty()};
}

bool Crew::is_idle() const {
  return std::ranges::all_of(places_, [](const auto& place) { return place->work.empty(); });
}

Result<void> Crew::give(std::size_t index, Batch& batch) {
  Place& place = *places_[index];
  if (load_failure_ || load_ending_) {
    answer_unloadable(batch);
    return {};
  }
  const auto now = Clock::now();
  const bool was_idle = place.work.empty();
  place.work.push_back(&batch);
  place.bytes += cost(batch);
  if (was_idle) {
    place.since = place.batch_began = now;
    if (place.is_worn_out(now)) let_go(place);
  }
  if (!place.cell) return send_all(place);
  return send(place, batch);
}

// The next path that is waiting, alone.
void Crew::send_one(Place& place) {
  for (Batch* batch : place.work) {
    for (std::size_t i = batch->answered; i < batch->size(); ++i) {
      if (is_condemned(*batch, i)) continue;
      ++place.sent;
      place.cell->send(std::array{batch->path(i)});
      return;
    }
  }
}

Result<void> Crew::send(Place& place, Batch& batch) {
  std::vector<std::string_view> paths;
  paths.reserve(batch.size() - batch.answered);
  for (std::size_t i = batch.answered; i < batch.size(); ++i) {
    if (!is_condemned(batch, i)) paths.push_back(batch.path(i));
  }
  place.sent += paths.size();
  // A cell that is gone is noticed when its answer is read.
  if (!paths.empty()) place.cell->send(paths);
  return {};
}

Result<void> Crew::send_all(Place& place) {
  TRY(ensure_cell(place));
  settle(place);
  if (!place.cell) return {};
  // More than fits into the socket is only there after a death; a fresh cell reads while we write.
  const std::deque<Batch*> work = place.work;
  if (place.is_careful) {
    send_one(place);
  } else {
    for (Batch* batch : work) TRY(send(place, *batch));
  }
  place.since = place.batch_began = Clock::now();
  return {};
}

// After it there is a cell, or everything is answered because the code cannot be loaded.
Result<void> Crew::ensure_cell(Place& place) {
  while (!place.cell) {
    if (load_failure_ || load_ending_) {
      for (Batch* batch : place.work) answer_unloadable(*batch);
      return {};
    }
    auto made = BulkCell::make(*chamber_);
    if (!made) {
      TRY(recover(std::move(made).error()));
      continue;
    }
    place.cell = std::move(*made);
    TRY(load(place));
  }
  return {};
}

Result<void> Crew::load(Place& place) {
  auto loaded = place.cell->load(plan_.compiled, plan_.limits);
  if (place.cell->trouble()) {
    Error trouble = *place.cell->trouble();
    place.cell.reset();
    return recover(std::move(trouble));
  }
  if (loaded && loaded->success && loaded->denials.empty()) {
    place.sent = place.answered = place.started = 0;
    place.born = Clock::now();
    has_loaded_ = true;
    failed_loads_ = 0;
    forgive_lost_time();
    return {};
  }
  place.cell.reset();
  forgive_lost_time();
  // It was fine before: bad luck, some times. A denied call is none.
  const bool was_denied =
      loaded ? !loaded->denials.empty() : !last_words(loaded.error()).denials.empty();
  if (has_loaded_ && !was_denied && ++failed_loads_ < kMaxFailedLoads) return {};
  if (loaded) {
    load_failure_ = std::move(*loaded);
  } else {
    load_ending_ = loaded.error();
  }
  return {};
}

void Crew::answer_unloadable(Batch& batch) {
  while (!batch.is_done()) {
    const std::string_view path = batch.path(batch.answered);
    if (load_failure_) {
      answers_.unloadable(batch, path, *load_failure_);
    } else {
      answers_.lose(batch, path, *load_ending_);
    }
    ++batch.answered;
  }
}

void Crew::answer_condemned(Batch& batch) {
  while (!batch.condemned.empty()) {
    const auto one =
        std::ranges::find(batch.condemned, batch.answered, &std::pair<std::size_t, Ending>::first);
    if (one == batch.condemned.end()) return;
    answers_.lose(batch, batch.path(batch.answered), one->second);
    batch.condemned.erase(one);
    ++batch.answered;
  }
}

// Lets go of batches that are done, and learns from how long the first one took.
void Crew::settle(Place& place) {
  while (!place.work.empty()) {
    Batch& batch = *place.work.front();
    answer_condemned(batch);
    if (!batch.is_done()) return;
    const auto now = Clock::now();
    const auto took = now - place.batch_began;
    if (took < kShortBatch) place.batch_size = std::min(place.batch_size * 2, kMaxBatch);
    if (took > kLongBatch) place.batch_size = std::max<std::size_t>(place.batch_size / 2, 1);
    place.batch_began = now;
    place.bytes -= cost(batch);
    place.work.pop_front();
  }
  place.is_careful = false;
}

// The zygote is gone, or gave no cell. Somebody may have killed it: all cells went with it, nobody
// is to blame.
Result<void> Crew::recover(Error trouble) {
  if (++recoveries_ > kMaxRecoveries) return std::unexpected(std::move(trouble));
  for (auto& place : places_) let_go(*place);
  chamber_.reset();
  auto chamber = TRY(Chamber::start(plan_.host_program, plan_.policy));
  TRY(chamber->await_ready());
  chamber_ = std::move(chamber);
  return {};
}

// Finds the path that the cell was at when it ended.
void Crew::condemn(Place& place, const Ending& ending) {
  const std::uint64_t waiting = place.sent - place.answered;
  if (waiting == 0) return;
  const std::uint64_t ahead =
      place.started > place.answered ? place.started - place.answered - 1 : 0;
  condemn(place, std::min(ahead, waiting - 1), ending);
}

// The path that has so many waiting ones before it.
void Crew::condemn(Place& place, std::size_t ahead, const Ending& ending) {
  for (Batch* batch : place.work) {
    for (std::size_t i = batch->answered; i < batch->size(); ++i) {
      if (is_condemned(*batch, i) || ahead-- > 0) continue;
      // No code in a cell can send this signal: it came from outside.
      const auto* crash = std::get_if<Crashed>(&ending);
      const bool is_foreign =
          crash != nullptr && crash->signal == SIGKILL && crash->words.denials.empty();
      if (is_foreign && std::ranges::find(batch->doubted, i) == batch->doubted.end()) {
        batch->doubted.push_back(i);
      } else {
        batch->condemned.emplace_back(i, ending);
      }
      return;
    }
  }
}

// Of rows that are not taken, because their paths will be tried again: those that were denied a
// call are not. The first of them is of the next path that waits.
void Crew::condemn_denied(Place& place, std::span<const wire::Row> rows) {
  // From the last on, so that each still has as many before it as it has here.
  for (std::size_t i = rows.size(); i-- > 0;) {
    if (!rows[i].denials.empty()) condemn(place, i, garbled_with(rows[i].denials));
  }
}

// A fresh cell for the place, and in it all that is not answered, but for the path that is to
// blame.
Result<void> Crew::replace(Place& place, std::optional<Ending> blame) {
  // Words that make no sense came while the cell went on: which path they are of shows when each
  // goes alone.
  const bool is_unclear = blame && std::holds_alternative<Garbled>(*blame) && !place.is_careful &&
                          last_words(*blame).denials.empty();
  if (is_unclear) {
    place.is_careful = true;
  } else if (blame) {
    condemn(place, *blame);
  }
  let_go(place);
  settle(place);
  return place.work.empty() ? Result<void>{} : send_all(place);
}

Result<void> Crew::hear(Place& place) {
  // Not for ever: others wait, and so does the clock.
  for (int heard = 0; place.cell && heard < kMostHeard; ++heard) {
    const auto message = place.cell->receive_now();
    if (message) {
      TRY(take_rows(place, *message));
      continue;
    }
    if (message.error() == os::NoMessage::kTimedOut) return {};
    place.started = std::min(place.cell->started(), place.sent);
    const bool is_garbled = message.error() == os::NoMessage::kTooLong;
    const Ending ending = is_garbled ? place.cell->end(false) : place.cell->end_after_silence();
    if (place.cell->trouble()) return recover(*place.cell->trouble());
    return replace(place, is_garbled ? Ending(Garbled{last_words(ending)}) : ending);
  }
  return {};
}

// Calls that are denied wait for us. A cell that makes nothing else has had its turn.
Result<void> Crew::hear_denials(Place& place) {
  if (!place.cell || place.cell->serve_denials()) return {};
  place.started = std::min(place.cell->started(), place.sent);
  const Ending ending = place.cell->flooded();
  if (place.cell->trouble()) return recover(*place.cell->trouble());
  return replace(place, ending);
}

Result<void> Crew::take_rows(Place& place, const std::string& message) {
  const auto rows = place.cell->read_rows(message);
  const auto is_too_large = [&](const wire::Row& row) {
    return row.value.size() > plan_.limits.result_bytes;
  };
  if (!rows || std::ranges::any_of(*rows, is_too_large)) {
    place.started = std::min(place.cell->started(), place.sent);
    const Ending ending = place.cell->end(false);
    if (rows) condemn_denied(place, *rows);
    if (place.cell->trouble()) return recover(*place.cell->trouble());
    return replace(place, Garbled{last_words(ending)});
  }
  recoveries_ = 0;
  place.since = Clock::now();
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const wire::Row& row = (*rows)[i];
    const bool is_out_of_memory = !row.success && row.error_type == "MemoryError";
    if (is_out_of_memory && place.answered > 0 && row.denials.empty()) {
      condemn_denied(place, std::span(*rows).subspan(i));
      return replace(place, std::nullopt);
    }
    Batch& batch = *place.work.front();
    answers_.take(batch, batch.path(batch.answered), row);
    ++batch.answered;
    ++place.answered;
    settle(place);
    if (is_out_of_memory) {
      condemn_denied(place, std::span(*rows).subspan(i + 1));
      return replace(place, std::nullopt);
    }
  }
  if (place.is_careful && place.cell && place.sent == place.answered) send_one(place);
  return {};
}

Result<void> Crew::watch_clock(Place& place) {
  if (!place.cell || place.work.empty()) return {};
  const auto now = Clock::now();
  const std::uint64_t started = std::min(place.cell->started(), place.sent);
  if (started > place.started) {
    place.started = started;
    place.since = now;
  }
  if (now - place.since < std::chrono::milliseconds(plan_.limits.timeout_ms)) return {};
  const Ending ending = place.cell->end(true);
  if (place.cell->trouble()) return recover(*place.cell->trouble());
  return replace(place, ending);
}

void Crew::forgive_lost_time() {
  for (auto& place : places_) place->since = Clock::now();
}

Result<bool> Crew::turn(int input, const Batch* first, Attention attention) {
  std::vector<pollfd> waiting{{input, POLLIN, 0}};
  std::vector<Place*> heard;
  for (auto& place : places_) {
    // What went down with a zygote.
    if (!place->cell && !place->work.empty()) TRY(send_all(*place));
    if (!place->cell) continue;
    const bool is_first = !place->work.empty() && place->work.front() == first;
    if (attention == Attention::kOnlyFirst && !is_first) {
      place->since = Clock::now();
      continue;
    }
    waiting.push_back({place->cell->descriptor(), POLLIN, 0});
    waiting.push_back({place->cell->listener(), POLLIN, 0});
    heard.push_back(place.get());
  }
  const auto tick = std::clamp(std::chrono::milliseconds(plan_.limits.timeout_ms / 50),
                               std::chrono::milliseconds(1), kLongestTick);
  const int ready = ::poll(waiting.data(), waiting.size(), static_cast<int>(tick.count()));
  if (ready < 0 && errno != EINTR) return fail_errno("wait for the cells");
  for (std::size_t i = 0; i < heard.size(); ++i) {
    if (ready > 0 && waiting[2 * i + 2].revents != 0) TRY(hear_denials(*heard[i]));
    if (ready > 0 && waiting[2 * i + 1].revents != 0) TRY(hear(*heard[i]));
    TRY(watch_clock(*heard[i]));
  }
  return ready > 0 && waiting[0].revents != 0;
}

}  // namespace airlock::run
