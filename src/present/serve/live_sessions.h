// Sessions by their names, and whose turn it is in each: what a connection, or a whole server, has
// open. Pieces of one session run in the order in which their requests came; a piece holds a slot
// (work_slots.h) while it runs. A session that nobody has used for a while is closed.
//
// Threads: all functions from any thread. A Turn is one request's; it must not outlive the
// sessions.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "base/result.h"
#include "engine/session/session.h"
#include "present/serve/resident.h"

namespace airlock::serve {

class LiveSessions {
 private:
  struct Live;

 public:
  static constexpr std::size_t kMostSessions = 1024;

  explicit LiveSessions(Resident& resident);
  ~LiveSessions();
  LiveSessions(const LiveSessions&) = delete;
  LiveSessions& operator=(const LiveSessions&) = delete;

  // The place of a piece among those of its session; given up with the Turn.
  class Turn {
   public:
    Turn(Turn&& other) noexcept = default;
    Turn& operator=(Turn&&) = delete;
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn();

   private:
    friend class LiveSessions;
    Turn(LiveSessions& owner, std::shared_ptr<Live> live, std::uint64_t ticket)
        : owner_(owner), live_(std::move(live)), ticket_(ticket) {}
    LiveSessions& owner_;
    std::shared_ptr<Live> live_;
    std::uint64_t ticket_;
  };

  // Opened now, under a name that nobody guesses.
  Result<std::string> open(SessionOptions options);

  // At the end of the line of a session. Nothing: there is none of that name.
  std::optional<Turn> enter(const std::string& name);
  // The same; an unknown name is that of a session which open_if_new() is to open.
  Turn enter_or_make(const std::string& name);
  // A session of its own, without a name, which open_if_new() is to open: it ends with the Turn.
  Turn enter_alone();

  // Waits until the pieces before it are done. An Error: it was stopped, or the session closed.
  Result<void> await(const Turn& turn, const std::stop_token& stop);
  // When it is this one's turn, and nobody has opened it yet.
  bool is_new(const Turn& turn);
  Result<void> open_if_new(const Turn& turn, SessionOptions options);
  // When it is this one's turn. Waits for a slot; `stop` ends the piece, whose report says so.
  Result<PieceReport> run(const Turn& turn, const PieceRun& piece, SessionListener& listener,
                          const std::stop_token& stop);

  // To a call of the piece that runs; what answers nothing any more is dropped.
  void answer(const Turn& turn, std::uint32_t call, CallResult result);

  // False: there was none. Its pieces are ended, and those that wait do not get their turn.
  bool close(const std::string& name);
  // When no Turn is left.
  void close_all();
  std::size_t count();

 private:
  using Clock = std::chrono::steady_clock;
  class SlottedListener;

  Turn enter_at(std::shared_ptr<Live> live);
  void leave(const Turn& turn);
  void cancel(const Turn& turn);
  bool is_closed(const Live& live);
  void close_idle(const std::stop_token& stop);

  Resident& resident_;
  std::mutex lock_;  // of what follows
  std::condition_variable_any changed_;
  std::map<std::string, std::shared_ptr<Live>> sessions_;
  std::uint64_t tickets_ = 0;
  std::jthread keeper_;  // last: it uses all of the above
};

}  // namespace airlock::serve
