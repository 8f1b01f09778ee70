#include "os/group_guard.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

namespace airlock::os {
namespace {

[[noreturn]] void sleep_for_ever() {
  while (true) ::pause();
}

pid_t start_sleeper() {
  const pid_t sleeper = ::fork();
  if (sleeper == 0) sleep_for_ever();
  return sleeper;
}

// A group of two with a guard that watches `watched`. Whoever lives in it holds the pipe.
pid_t start_group(pid_t watched, int pipe) {
  const pid_t leader = ::fork();
  if (leader != 0) return leader;
  ::setpgid(0, 0);
  const Fd handle(static_cast<int>(::syscall(SYS_pidfd_open, watched, 0)));
  if (!start_group_guard(handle, GuardImage::kThisProcess)) ::_exit(1);
  start_sleeper();
  if (::write(pipe, "r", 1) != 1) ::_exit(1);
  sleep_for_ever();
}

TEST(GroupGuard, TheGroupEndsWhenTheOneThatIsWatchedDoes) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  const pid_t watched = start_sleeper();
  const pid_t leader = start_group(watched, pipe[1]);
  ::close(pipe[1]);
  char ready = 0;
  ASSERT_EQ(::read(pipe[0], &ready, 1), 1);
  EXPECT_EQ(::waitpid(leader, nullptr, WNOHANG), 0);
  ::kill(watched, SIGKILL);
  ::waitpid(watched, nullptr, 0);
  int status = 0;
  ASSERT_EQ(::waitpid(leader, &status, 0), leader);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  EXPECT_EQ(::read(pipe[0], &ready, 1), 0);  // nobody holds the other end: all are gone
  ::close(pipe[0]);
}

TEST(GroupGuard, ADescriptorThatIsNoHandleEndsNobody) {
  const pid_t guard = ::fork();
  if (guard == 0) {
    ::setpgid(0, 0);
    guard_group(Fd(::open("/dev/null", O_RDONLY)));
  }
  int status = 0;
  ASSERT_EQ(::waitpid(guard, &status, 0), guard);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

}  // namespace
}  // namespace airlock::os
