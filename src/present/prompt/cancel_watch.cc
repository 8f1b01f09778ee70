#include "present/prompt/cancel_watch.h"

#include <poll.h>
#include <signal.h>

#include <array>

namespace airlock::prompt {

Result<std::unique_ptr<CancelWatch>> CancelWatch::start(Session& session, tui::Signals& signals) {
  auto done = TRY(os::WakeUp::make());
  std::unique_ptr<CancelWatch> watch(new CancelWatch(session, signals, std::move(done)));
  watch->thread_ = std::thread([&watching = *watch] { watching.watch(); });
  return watch;
}

CancelWatch::~CancelWatch() {
  done_.ring();
  if (thread_.joinable()) thread_.join();
}

void CancelWatch::watch() {
  while (true) {
    std::array<pollfd, 2> watched = {pollfd{signals_.descriptor(), POLLIN, 0},
                                     pollfd{done_.descriptor(), POLLIN, 0}};
    if (::poll(watched.data(), watched.size(), -1) < 0) continue;  // EINTR
    while (const auto signal = signals_.take()) {
      if (*signal == SIGTERM || *signal == SIGHUP || *signal == SIGQUIT) told_to_end_ = *signal;
      if (*signal == SIGINT || told_to_end_ != 0) session_.cancel();
    }
    if (watched[1].revents != 0) return;
  }
}

}  // namespace airlock::prompt
