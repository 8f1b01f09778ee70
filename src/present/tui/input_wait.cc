#include "present/tui/input_wait.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>

namespace airlock::tui {

namespace {

std::optional<int> take_signals(Terminal& terminal, Signals& signals) {
  std::optional<int> ended_by;
  while (const auto signal = signals.take()) {
    switch (*signal) {
      case SIGWINCH:
        terminal.resize();
        break;
      case SIGCONT:
        terminal.take_back();
        break;
      // The terminal must be in order before the shell gets it, and is ours again when stop_here()
      // returns.
      case SIGTSTP:
        terminal.hand_over();
        signals.stop_here();
        terminal.take_back();
        break;
      default:
        ended_by = signal;
    }
  }
  return ended_by;
}

}  // namespace

WakeReason wait_for_input(Terminal& terminal, Signals& signals, int wake, int timeout_ms) {
  pollfd waiting[] = {
      {STDIN_FILENO, POLLIN, 0}, {wake, POLLIN, 0}, {signals.descriptor(), POLLIN, 0}};
  const int ready = ::poll(waiting, std::size(waiting), timeout_ms);
  WakeReason wakened;
  // A poll that cannot work any more is treated like a terminal that is gone.
  if (ready < 0 && errno != EINTR) wakened.ended_by = SIGHUP;
  if (ready <= 0) return wakened;
  if (waiting[2].revents != 0) wakened.ended_by = take_signals(terminal, signals);
  if ((waiting[0].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) wakened.ended_by = SIGHUP;
  wakened.has_wake = waiting[1].revents != 0;
  wakened.has_keys = (waiting[0].revents & POLLIN) != 0;
  return wakened;
}

}  // namespace airlock::tui
