#include "guest/denials.h"

#include <signal.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "python/frames.h"

namespace airlock::guest {

namespace {

// A signal handler can reach nothing but statics. One cell, one thread: no locks.
struct Notes {
  void* filename = nullptr;
  std::array<Denial, 32> denials{};
  volatile std::size_t count = 0;
};
Notes notes;

void set_result(ucontext_t* context, long value) {
#if defined(__x86_64__)
  context->uc_mcontext.gregs[REG_RAX] = value;
#elif defined(__aarch64__)
  context->uc_mcontext.regs[0] = static_cast<unsigned long long>(value);
#else
#error "say where this machine keeps the result of a system call"
#endif
}

void on_denial(int, siginfo_t* info, void* context) {
  const Denial denial{static_cast<std::uint32_t>(info->si_syscall),
                      static_cast<std::uint32_t>(airlock_guest_line(notes.filename))};
  const auto end = notes.denials.begin() + static_cast<std::ptrdiff_t>(notes.count);
  if (notes.count < notes.denials.size() && std::find(notes.denials.begin(), end, denial) == end) {
    notes.denials[notes.count] = denial;
    notes.count = notes.count + 1;
  }
  set_result(static_cast<ucontext_t*>(context), -EPERM);
}

}  // namespace

void note_denials(void* filename) {
  notes.filename = filename;
  struct sigaction action{};
  action.sa_sigaction = on_denial;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  ::sigaction(SIGSYS, &action, nullptr);
}

std::vector<Denial> take_denials() {
  std::vector<Denial> taken(notes.denials.begin(),
                            notes.denials.begin() + static_cast<std::ptrdiff_t>(notes.count));
  notes.count = 0;
  return taken;
}

}  // namespace airlock::guest
