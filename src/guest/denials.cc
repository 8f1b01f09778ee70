#include "guest/denials.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "python/frames.h"

namespace airlock::guest {

namespace {

// A signal handler can reach nothing but statics. One cell, one thread: no locks.
struct Notes {
  void* filename = nullptr;
  bool may_mask = false;
  os::SharedNotes* shared = nullptr;
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

// The first four arguments of the call.
std::array<std::uint64_t, 4> arguments_of(const ucontext_t* context) {
#if defined(__x86_64__)
  const auto& at = context->uc_mcontext.gregs;
  return {static_cast<std::uint64_t>(at[REG_RDI]), static_cast<std::uint64_t>(at[REG_RSI]),
          static_cast<std::uint64_t>(at[REG_RDX]), static_cast<std::uint64_t>(at[REG_R10])};
#elif defined(__aarch64__)
  const auto& at = context->uc_mcontext.regs;
  return {at[0], at[1], at[2], at[3]};
#endif
}

// The C library masks every signal before it starts a thread or a process. With ours masked, the
// kernel would kill at the next denial instead of telling us. So the mask is changed here, without
// the kernel, in what it restores when the handler returns; and ours is never in it.
long change_mask(ucontext_t* context) {
  const auto [how, wanted_at, old_at, size] = arguments_of(context);
  if (size != sizeof(std::uint64_t)) return -EINVAL;
  constexpr std::uint64_t kOurs = std::uint64_t{1} << (SIGSYS - 1);
  std::uint64_t mask = 0;
  std::memcpy(&mask, &context->uc_sigmask, sizeof mask);
  std::uint64_t wanted = 0;
  // NOLINTBEGIN(performance-no-int-to-ptr): registers hold numbers, and these are addresses.
  if (wanted_at != 0) std::memcpy(&wanted, reinterpret_cast<const void*>(wanted_at), sizeof wanted);
  if (old_at != 0) std::memcpy(reinterpret_cast<void*>(old_at), &mask, sizeof mask);
  // NOLINTEND(performance-no-int-to-ptr)
  if (wanted_at == 0) return 0;
  if (how == SIG_BLOCK) {
    mask |= wanted;
  } else if (how == SIG_UNBLOCK) {
    mask &= ~wanted;
  } else if (how == SIG_SETMASK) {
    mask = wanted;
  } else {
    return -EINVAL;
  }
  mask &= ~kOurs;
  std::memcpy(&context->uc_sigmask, &mask, sizeof mask);
  return 0;
}

// How long the host runs and how much memory it has is nobody's business; the C library uses the
// answer without looking whether there was one.
long tell_nothing(const ucontext_t* context) {
  const auto at = arguments_of(context)[0];
  if (at == 0) return -EFAULT;
  struct sysinfo nothing{};
  nothing.mem_unit = 1;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a register holds a number, and it is an address
  std::memcpy(reinterpret_cast<void*>(at), &nothing, sizeof nothing);
  return 0;
}

void on_denial(int, siginfo_t* info, void* opaque) {
  auto* context = static_cast<ucontext_t*>(opaque);
  if (notes.may_mask && info->si_syscall == SYS_rt_sigprocmask) {
    set_result(context, change_mask(context));
    return;
  }
  if (notes.may_mask && info->si_syscall == SYS_sysinfo) {
    set_result(context, tell_nothing(context));
    return;
  }
  const Denial denial{static_cast<std::uint32_t>(info->si_syscall),
                      static_cast<std::uint32_t>(airlock_guest_line(notes.filename))};
  const auto end = notes.denials.begin() + static_cast<std::ptrdiff_t>(notes.count);
  if (notes.count < notes.denials.size() && std::find(notes.denials.begin(), end, denial) == end) {
    notes.denials[notes.count] = denial;
    notes.count = notes.count + 1;
    if (notes.shared != nullptr) notes.shared->add_denial(denial.call, denial.line);
  }
  set_result(context, -EPERM);
}

void on_question(int) {
  if (notes.shared != nullptr)
    notes.shared->set_line(static_cast<std::uint32_t>(airlock_guest_line(notes.filename)));
}

}  // namespace

void note_denials(void* filename, bool may_mask, os::SharedNotes* shared) {
  notes.filename = filename;
  notes.may_mask = may_mask;
  notes.shared = shared;
  struct sigaction question{};
  question.sa_handler = on_question;
  question.sa_flags = SA_RESTART;
  ::sigaction(os::kAskForLine, &question, nullptr);
  struct sigaction action{};
  action.sa_sigaction = on_denial;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  ::sigaction(SIGSYS, &action, nullptr);
}

std::vector<Denial> take_denials() {
  std::vector<Denial> taken(notes.denials.begin(),
                            notes.denials.begin() + static_cast<std::ptrdiff_t>(notes.count));
  notes.count = 0;
  if (notes.shared != nullptr) notes.shared->clear_denials();
  return taken;
}

}  // namespace airlock::guest
