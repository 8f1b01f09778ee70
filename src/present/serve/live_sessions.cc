#include "present/serve/live_sessions.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/hex.h"
#include "os/random.h"

namespace airlock::serve {

namespace {

// Seconds after which a cell that waits for the next batch of an extractor is ended.
constexpr double kCellIdle = 60;

// Bytes of a name that nobody guesses.
constexpr std::size_t kNameBytes = 12;

}  // namespace

struct LiveSessions::Live {
  std::string name;  // empty: it has none
  Resident::Counted counted;
  std::unique_ptr<Session> session;  // null: nobody has opened it yet
  std::deque<std::uint64_t> queue;   // tickets, as they came; the first one has its turn
  std::uint64_t running = 0;         // the ticket of the piece that runs; 0: none
  Clock::time_point last_used = Clock::now();
  bool is_closed = false;  // pieces that wait for their turn do not get it
};

// Lets go of the slot while a piece waits for its caller, and knows whether it is still wanted.
class LiveSessions::SlottedListener final : public SessionListener {
 public:
  SlottedListener(LiveSessions& owner, const Live& live, SessionListener& listener,
                  WorkSlots::Held& slot, const std::stop_token& stop)
      : owner_(owner), live_(live), listener_(listener), slot_(slot), stop_(stop) {}
  void printed(OutputStream stream, std::string_view text) override {
    listener_.printed(stream, text);
  }
  void called(const HostCall& call) override { listener_.called(call); }
  void began_waiting() override { slot_.release(); }
  bool may_go_on() override { return slot_.try_take(); }
  bool is_cancelled() override { return stop_.stop_requested() || owner_.is_closed(live_); }

 private:
  LiveSessions& owner_;
  const Live& live_;
  SessionListener& listener_;
  WorkSlots::Held& slot_;
  const std::stop_token& stop_;
};

LiveSessions::LiveSessions(Resident& resident)
    : resident_(resident), keeper_([this](const std::stop_token& stop) { close_idle(stop); }) {}

LiveSessions::~LiveSessions() = default;

LiveSessions::Turn::~Turn() {
  if (live_) owner_.leave(*this);
}

LiveSessions::Turn LiveSessions::enter_at(std::shared_ptr<Live> live) {
  const std::uint64_t ticket = ++tickets_;
  live->queue.push_back(ticket);
  return {*this, std::move(live), ticket};
}

std::optional<LiveSessions::Turn> LiveSessions::enter(const std::string& name) {
  const std::scoped_lock held(lock_);
  const auto found = sessions_.find(name);
  if (found == sessions_.end()) return std::nullopt;
  return enter_at(found->second);
}

LiveSessions::Turn LiveSessions::enter_or_make(const std::string& name) {
  const std::scoped_lock held(lock_);
  std::shared_ptr<Live>& live = sessions_[name];
  if (!live) {
    live = std::make_shared<Live>();
    live->name = name;
  }
  return enter_at(live);
}

LiveSessions::Turn LiveSessions::enter_alone() {
  const std::scoped_lock held(lock_);
  return enter_at(std::make_shared<Live>());
}

// A session that nobody came to open leaves no name behind.
void LiveSessions::leave(const Turn& turn) {
  const std::scoped_lock held(lock_);
  Live& live = *turn.live_;
  std::erase(live.queue, turn.ticket_);
  const auto found = sessions_.find(live.name);
  if (!live.session && live.queue.empty() && found != sessions_.end() &&
      found->second == turn.live_)
    sessions_.erase(found);
  changed_.notify_all();
}

Result<std::string> LiveSessions::open(SessionOptions options) {
  {
    const std::scoped_lock held(lock_);
    if (sessions_.size() >= kMostSessions) return bad_request("1024 sessions are open");
  }
  auto live = std::make_shared<Live>();
  live->counted = TRY(resident_.count_session());
  live->session = TRY(Session::open(resident_.rooms(), std::move(options)));
  live->name = hex_of(os::random_bytes(kNameBytes));
  const std::scoped_lock held(lock_);
  return sessions_.emplace(live->name, live).first->first;
}

Result<void> LiveSessions::await(const Turn& turn, const std::stop_token& stop) {
  std::unique_lock held(lock_);
  const Live& live = *turn.live_;
  changed_.wait(held, stop, [&] { return live.is_closed || live.queue.front() == turn.ticket_; });
  if (stop.stop_requested()) return fail("wait for the pieces before it: it was stopped");
  if (live.is_closed) return bad_request("the session was closed");
  return {};
}

bool LiveSessions::is_new(const Turn& turn) {
  const std::scoped_lock held(lock_);
  return turn.live_->session == nullptr;
}

Result<void> LiveSessions::open_if_new(const Turn& turn, SessionOptions options) {
  {
    const std::scoped_lock held(lock_);
    if (turn.live_->session) return {};
    if (!turn.live_->name.empty() && sessions_.size() > kMostSessions)
      return bad_request("1024 sessions are open");
  }
  auto counted = TRY(resident_.count_session());
  auto session = TRY(Session::open(resident_.rooms(), std::move(options)));
  const std::scoped_lock held(lock_);
  turn.live_->counted = std::move(counted);
  turn.live_->session = std::move(session);
  turn.live_->last_used = Clock::now();
  return {};
}

Result<PieceReport> LiveSessions::run(const Turn& turn, const PieceRun& piece,
                                      SessionListener& listener, const std::stop_token& stop) {
  Live& live = *turn.live_;
  auto slot = resident_.slots().take(stop);
  if (!slot) return fail("wait for a slot: it was stopped");
  {
    const std::scoped_lock held(lock_);
    if (stop.stop_requested()) return fail("begin: it was stopped");
    if (live.is_closed) return bad_request("the session was closed");
    live.running = turn.ticket_;
  }
  SlottedListener slotted(*this, live, listener, *slot, stop);
  auto report = [&] {
    const std::stop_callback stopping(stop, [&] { cancel(turn); });
    return live.session->run(piece, slotted);
  }();
  if (report) {
    ++resident_.pieces_run();
    resident_.calls_denied() += report->denials.size();
    resident_.activity().note_piece(*report);
  }
  const std::scoped_lock held(lock_);
  live.running = 0;
  live.last_used = Clock::now();
  return report;
}

// With the lock held to the end: the piece that is ended is this one, and not the next.
void LiveSessions::cancel(const Turn& turn) {
  const std::scoped_lock held(lock_);
  if (turn.live_->running == turn.ticket_) turn.live_->session->cancel();
}

void LiveSessions::answer(const Turn& turn, std::uint32_t call, CallResult result) {
  {
    const std::scoped_lock held(lock_);
    if (turn.live_->running != turn.ticket_) return;
  }
  turn.live_->session->answer(call, std::move(result));
}

bool LiveSessions::is_closed(const Live& live) {
  const std::scoped_lock held(lock_);
  return live.is_closed;
}

bool LiveSessions::close(const std::string& name) {
  std::shared_ptr<Live> live;  // its cell ends when the lock is free again
  const std::scoped_lock held(lock_);
  const auto found = sessions_.find(name);
  if (found == sessions_.end()) return false;
  live = std::move(found->second);
  live->is_closed = true;
  sessions_.erase(found);
  if (live->session) live->session->cancel();
  changed_.notify_all();
  return true;
}

void LiveSessions::close_all() {
  std::map<std::string, std::shared_ptr<Live>> closed;
  const std::scoped_lock held(lock_);
  closed.swap(sessions_);
}

std::size_t LiveSessions::count() {
  const std::scoped_lock held(lock_);
  return sessions_.size();
}

void LiveSessions::close_idle(const std::stop_token& stop) {
  const double idle = resident_.options().idle_seconds;
  std::unique_lock held(lock_);
  while (true) {
    changed_.wait_for(held, stop, std::chrono::seconds(1), [] { return false; });
    if (stop.stop_requested()) return;
    std::vector<std::shared_ptr<Live>> closed;
    std::erase_if(sessions_, [&](auto& one) {
      const std::chrono::duration<double> unused = Clock::now() - one.second->last_used;
      if (!one.second->queue.empty() || unused.count() <= idle) return false;
      closed.push_back(std::move(one.second));
      return true;
    });
    held.unlock();
    closed.clear();
    resident_.extractors().end_idle(std::chrono::duration<double>(std::min(idle, kCellIdle)));
    held.lock();
  }
}

}  // namespace airlock::serve
