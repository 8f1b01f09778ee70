#include "present/tui/crash_guard.h"

#include <signal.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace airlock::tui {

namespace {

// SIGKILL cannot be caught; the signals that a person sends are those of signals.h.
constexpr std::array kCrashes = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS};

// A signal handler can reach nothing but statics.
struct Saved {
  int terminal = -1;
  termios settings = {};
  std::array<char, 256> leave = {};
  std::size_t length = 0;
};
// The one copy: a second guard would overwrite it, hence "one at a time".
Saved saved;

// SA_RESETHAND has put the usual handler back: raising it again ends the program as it should.
void on_crash(int signal) {
  // write() and tcsetattr() are async-signal-safe; nothing else may be called here.
  if (saved.terminal >= 0) {
    [[maybe_unused]] const auto written = ::write(saved.terminal, saved.leave.data(), saved.length);
    ::tcsetattr(saved.terminal, TCSANOW, &saved.settings);
  }
  ::raise(signal);
}

}  // namespace

CrashGuard::CrashGuard(int terminal) {
  if (::tcgetattr(terminal, &saved.settings) != 0) return;
  saved.length = 0;
  saved.terminal = terminal;
  for (const int signal : kCrashes) {
    struct sigaction before{};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_DFL) continue;  // a sanitizer or debugger has its own handler
    struct sigaction action{};
    action.sa_handler = on_crash;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(signal, &action, nullptr);
  }
}

void CrashGuard::leave_with(std::string_view bytes) {
  saved.length = std::min(bytes.size(), saved.leave.size());
  std::copy_n(bytes.begin(), saved.length, saved.leave.begin());
}

CrashGuard::~CrashGuard() {
  for (const int signal : kCrashes) {
    struct sigaction now{};
    ::sigaction(signal, nullptr, &now);
    if (now.sa_handler != on_crash) continue;
    now = {};
    now.sa_handler = SIG_DFL;
    ::sigaction(signal, &now, nullptr);
  }
  saved.terminal = -1;
}

}  // namespace airlock::tui
