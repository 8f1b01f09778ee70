// The self-pipe trick: a handler may do almost nothing, so it writes one byte, and the loop that
// polls the pipe does the rest as ordinary code.
#include "present/tui/signals.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/fd.h"

namespace airlock::tui {

namespace {

constexpr std::array kTaken = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH};

volatile sig_atomic_t write_end = -1;  // a signal handler can reach nothing but statics

void on_signal(int signal) {
  // A handler may run between a system call and the look at its errno.
  const int kept = errno;
  const auto byte = static_cast<unsigned char>(signal);
  if (write_end >= 0) {
    // A full pipe holds enough of them.
    [[maybe_unused]] const auto written = ::write(write_end, &byte, 1);
  }
  errno = kept;
}

void install(int signal, struct sigaction* old) {
  struct sigaction action{};
  action.sa_handler = on_signal;
  // Other code of the program must not see EINTR because of us.
  action.sa_flags = SA_RESTART;
  ::sigaction(signal, &action, old);
}

}  // namespace

struct Signals::State {
  Fd read_end;
  Fd write_end;
  std::array<struct sigaction, kTaken.size()> before = {};
};

Signals::Signals(std::unique_ptr<State> state) : state_(std::move(state)) {}

Result<std::unique_ptr<Signals>> Signals::open() {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return fail_errno("make a pipe for signals");
  auto state = std::make_unique<State>();
  state->read_end = Fd(ends[0]);
  state->write_end = Fd(ends[1]);
  write_end = ends[1];
  for (std::size_t i = 0; i < kTaken.size(); ++i) install(kTaken[i], &state->before[i]);
  return std::unique_ptr<Signals>(new Signals(std::move(state)));
}

Signals::~Signals() {
  for (std::size_t i = 0; i < kTaken.size(); ++i) {
    ::sigaction(kTaken[i], &state_->before[i], nullptr);
  }
  write_end = -1;
}

int Signals::descriptor() const {
  return state_->read_end.get();
}

std::optional<int> Signals::take() {
  unsigned char byte = 0;
  if (::read(state_->read_end.get(), &byte, 1) != 1) return {};
  return byte;
}

void Signals::let_stop() {
  struct sigaction usual{};
  usual.sa_handler = SIG_DFL;
  ::sigaction(SIGTSTP, &usual, nullptr);
}

void Signals::take_stop() {
  install(SIGTSTP, nullptr);
}

void Signals::stop_here() {
  let_stop();
  // Returns when SIGCONT lets the program go on.
  ::raise(SIGTSTP);
  take_stop();
}

}  // namespace airlock::tui
