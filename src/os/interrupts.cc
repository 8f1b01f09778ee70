#include "os/interrupts.h"

#include <signal.h>

namespace airlock::os {

namespace {

volatile sig_atomic_t noted = 0;  // a signal handler can reach nothing but statics

void on_signal(int signal) {
  noted = signal;
}

}  // namespace

void note_interrupts() {
  struct sigaction action{};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // no SA_RESTART: waiting calls come back
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

std::optional<int> pending_interrupt() {
  if (noted == 0) return std::nullopt;
  return noted;
}

}  // namespace airlock::os
