// The guard is in the group that it guards: as long as it lives, the group's number belongs to no
// other, and one signal ends all of them and the guard.
#include "os/group_guard.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace airlock::os {

namespace {

// The descriptor under which a guard that was started anew finds the pidfd.
constexpr int kHandle = 3;

// A descriptor of another kind would be ready at once.
// Signal 0 sends nothing and only checks. ESRCH: it was a process and is gone. EPERM: it is one,
// but of another user. Anything else (EBADF, EINVAL): it is no pidfd.
bool is_handle_of_process(int descriptor) {
  return ::syscall(SYS_pidfd_send_signal, descriptor, 0, nullptr, 0) == 0 || errno == ESRCH ||
         errno == EPERM;
}

void exec_guard(int watched) {
  // dup2() of a number onto itself would leave close-on-exec set; on another number it clears it.
  if (watched == kHandle ? ::fcntl(kHandle, F_SETFD, 0) != 0 : ::dup2(watched, kHandle) < 0) return;
  char name[] = "airlock-host";
  char role[] = "guard";
  char* words[] = {name, role, nullptr};
  char* none[] = {nullptr};
  ::execve("/proc/self/exe", words, none);
}

[[noreturn]] void become_guard(int watched, GuardImage image) {
  if (image == GuardImage::kThisProgram) exec_guard(watched);  // should it fail, we do it ourselves
  guard_group(Fd(watched));
}

}  // namespace

Result<void> start_group_guard(const Fd& watched, GuardImage image) {
  // Two forks: the one in between ends at once, so the guard becomes a child of init (or of the
  // nearest subreaper) and no wait() of this process ever sees it. Only calls that are safe between
  // fork and exec are made in either.
  const pid_t between = ::fork();
  if (between == 0) {
    const pid_t guard = ::fork();
    if (guard == 0) become_guard(watched.get(), image);
    ::_exit(guard < 0 ? errno : 0);
  }
  if (between < 0) return fail_errno("start a guard");
  int status = 0;
  while (::waitpid(between, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  // The process in between hands over its errno as exit code; errno values fit into eight bits.
  errno = WIFEXITED(status) ? WEXITSTATUS(status) : EAGAIN;
  return fail_errno("start a guard");
}

void guard_group(Fd watched) {
  // Signals to the group are for those who do its work.
  sigset_t all;
  sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  if (!is_handle_of_process(watched.get()) || ::dup2(watched.get(), 0) != 0) ::_exit(1);
  static_cast<void>(watched.release());
  // A guard that kept a pipe open would make others wait for its end in vain.
  ::syscall(SYS_close_range, 1U, ~0U, 0U);
  pollfd ended{0, POLLIN, 0};
  while (::poll(&ended, 1, -1) != 1) {
    if (errno != EINTR) ::_exit(1);
  }
  // A pidfd becomes readable when its process has ended. Number 0: our own group, us included.
  if ((ended.revents & POLLIN) != 0) ::kill(0, SIGKILL);
  ::_exit(1);
}

}  // namespace airlock::os
