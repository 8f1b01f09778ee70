// While a piece runs: Ctrl-C cancels it, SIGTERM, SIGHUP and SIGQUIT cancel it and are remembered.
// A thread of its own waits for them, for the one that runs the piece is busy.
#pragma once

#include <atomic>
#include <thread>

#include "base/result.h"
#include "engine/session/session.h"
#include "os/wake_up.h"
#include "present/tui/signals.h"

namespace airlock::prompt {

class CancelWatch {
 public:
  static Result<std::unique_ptr<CancelWatch>> start(Session& session, tui::Signals& signals);
  CancelWatch(const CancelWatch&) = delete;
  CancelWatch& operator=(const CancelWatch&) = delete;
  ~CancelWatch();  // no signal is taken any more

  // The signal that wants the whole program to end; 0 when there was none.
  int told_to_end() const { return told_to_end_; }

 private:
  CancelWatch(Session& session, tui::Signals& signals, os::WakeUp done)
      : session_(session), signals_(signals), done_(std::move(done)) {}
  void watch();

  Session& session_;
  tui::Signals& signals_;
  os::WakeUp done_;
  std::atomic<int> told_to_end_ = 0;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace airlock::prompt
