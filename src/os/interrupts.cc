#include "os/interrupts.h"

#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace airlock::os {

namespace {

// A signal handler can reach nothing but statics; threads read them, so that they are atomics, and
// without a lock, for a handler may not wait for one.
std::atomic<int> noted = 0;
static_assert(std::atomic<int>::is_always_lock_free);
std::atomic<bool> waits_end = false;

// Milliseconds. A signal that comes between the check and poll() would not wake poll().
constexpr int kLookAgainMs = 50;

void on_signal(int signal) {
  noted = signal;
}

}  // namespace

void note_interrupts() {
  struct sigaction action{};
  action.sa_handler = on_signal;
  // SA_RESETHAND: the handler runs once, so the second Ctrl-C has its usual effect and ends us.
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // no SA_RESTART: waiting calls come back
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  struct sigaction before{};
  if (::sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) return;  // nohup
  ::sigaction(SIGHUP, &action, nullptr);
}

void note_interrupts_and_end_waits() {
  waits_end = true;
  note_interrupts();
}

bool may_have_to_end_waits() {
  return waits_end;
}

bool must_end_waits() {
  return waits_end && noted != 0;
}

bool sleep_unless_interrupted(std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (noted == 0) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return true;
    ::poll(nullptr, 0, static_cast<int>(std::min<std::int64_t>(left.count(), kLookAgainMs)));
  }
  return false;
}

bool wait_to_read_unless_interrupted(int file) {
  while (noted == 0) {
    struct pollfd wanted{.fd = file, .events = POLLIN, .revents = 0};
    if (::poll(&wanted, 1, kLookAgainMs) > 0) return true;
  }
  return false;
}

std::optional<int> pending_interrupt() {
  const int signal = noted;
  if (signal == 0) return std::nullopt;
  return signal;
}

}  // namespace airlock::os
