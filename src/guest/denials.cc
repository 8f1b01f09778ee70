// A handler runs between two instructions of the guest. So:
// (1) It touches statics, the shared notes, and the registers of the call with what they point to;
//     of the interpreter it only reads which line is at work. No allocation, no lock.
// (2) What it answers is put into those registers: the guest sees a call that returned.
// (3) Code that can write to memory can write to all of this: then nothing here is a fact, and the
//     supervisor counts (Counting::kBySupervisor).
#include "guest/denials.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <ucontext.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "python/frames.h"

namespace airlock::guest {

namespace {

constexpr std::uint64_t kMostOfOnePath = 32;  // notes; what loops does not push out the others

// A signal handler can reach nothing but statics. No locks: where code may start threads the
// supervisor counts, and what two of them note at once is a hint that is lost.
struct Setting {
  void* filename = nullptr;
  Counting counting = Counting::kByNotes;
  os::SharedNotes* shared = nullptr;
};
Setting setting;

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

std::uint32_t guest_line() {
  return static_cast<std::uint32_t>(airlock_guest_line(setting.filename));
}

// Each call and line once for every path.
void note(std::uint32_t call, std::uint32_t line) {
  os::SharedNotes& notes = *setting.shared;
  const std::uint64_t path = notes.paths_begun();
  const std::uint64_t count = notes.noted();
  for (std::uint64_t back = 1; back <= count; ++back) {
    const os::SharedNotes::Note old = notes.note(count - back);
    if (old.path != path) break;
    if (back == kMostOfOnePath || (old.call == call && old.line == line)) return;
  }
  notes.add_note(call, line);
}

void on_denial(int, siginfo_t* info, void* opaque) {
  auto* context = static_cast<ucontext_t*>(opaque);
  const bool may_ask = setting.counting == Counting::kBySupervisor;
  if (may_ask && info->si_syscall == SYS_rt_sigprocmask) {
    set_result(context, change_mask(context));
    return;
  }
  if (may_ask && info->si_syscall == SYS_sysinfo) {
    set_result(context, tell_nothing(context));
    return;
  }
  if (setting.shared != nullptr) note(static_cast<std::uint32_t>(info->si_syscall), guest_line());
  set_result(context, -EPERM);
}

// Of the line that is at work, or of a call that has just been refused.
void on_question(int, siginfo_t* info, void*) {
  if (setting.shared == nullptr) return;
  const std::uint32_t line = guest_line();
  if (info->si_code == SI_QUEUE) {
    setting.shared->answer(static_cast<std::uint32_t>(info->si_value.sival_int), line,
                           airlock_is_importing(setting.filename) != 0);
  } else {
    setting.shared->set_line(line);
  }
}

}  // namespace

void rename_guest_code(void* filename) {
  setting.filename = filename;
}

void install_denial_handlers(void* filename, Counting counting, os::SharedNotes* shared) {
  setting = {filename, counting, shared};
  struct sigaction question{};
  question.sa_sigaction = on_question;
  question.sa_flags = SA_SIGINFO | SA_RESTART;
  ::sigaction(os::kLineRequestSignal, &question, nullptr);
  struct sigaction action{};
  action.sa_sigaction = on_denial;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  ::sigaction(SIGSYS, &action, nullptr);
}

}  // namespace airlock::guest
