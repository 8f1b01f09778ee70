#include "os/process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>

#include "os/channel.h"

namespace airlock::os {
namespace {

struct Started {
  Process process;
  Channel channel;
};

// A shell with its answers on descriptor 3, where the child's socket is.
Started run_shell(const std::string& script) {
  auto pair = make_socket_pair().value();
  return {Process::start("/bin/sh", {"-c", script}, pair.second).value(),
          Channel(std::move(pair.first))};
}

// What the script writes to descriptor 3 (short answers only).
std::string answer(const std::string& script) {
  auto pair = make_socket_pair().value();
  auto process = Process::start("/bin/sh", {"-c", script}, pair.second);
  if (!process) return process.error().message;
  pair.second.reset();
  std::string text;
  char byte = 0;
  while (::read(pair.first.get(), &byte, 1) == 1) text += byte;
  return text;
}

TEST(Process, AnExitCodeIsReported) {
  auto started = run_shell("exit 3");
  const ExitStatus status = started.process.wait();
  EXPECT_FALSE(status.was_signalled);
  EXPECT_EQ(status.number, 3);
  EXPECT_EQ(status.describe(), "exit code 3");
}

TEST(Process, ASignalIsReportedInWords) {
  auto started = run_shell("kill -SYS $$");
  const ExitStatus status = started.process.wait();
  EXPECT_TRUE(status.was_signalled);
  EXPECT_EQ(status.describe(), "signal 31 (Bad system call)");
}

TEST(Process, WaitingTwiceGivesTheSameAnswer) {
  auto started = run_shell("exit 7");
  EXPECT_EQ(started.process.wait().number, 7);
  EXPECT_EQ(started.process.wait().number, 7);
}

TEST(Process, KillEndsAChildThatWouldNotEnd) {
  auto started = run_shell("while :; do sleep 1; done");
  started.process.kill();
  EXPECT_EQ(started.process.wait().describe(), "signal 9 (Killed)");
}

TEST(Process, ADestroyedProcessIsKilledAndReaped) {
  pid_t id = -1;
  {
    auto started = run_shell("while :; do sleep 1; done");
    id = started.process.id();
    EXPECT_EQ(::kill(id, 0), 0);
  }
  EXPECT_EQ(::waitpid(id, nullptr, WNOHANG), -1) << "nothing is left to reap";
  EXPECT_EQ(errno, ECHILD);
}

TEST(Process, AMovedProcessIsEndedOnce) {
  auto started = run_shell("exit 5");
  Process moved = std::move(started.process);
  EXPECT_EQ(moved.wait().number, 5);
}

TEST(Process, TheEnvironmentIsEmpty) {
  ::setenv("AIRLOCK_SECRET", "x", 1);
  EXPECT_EQ(answer("printf %s \"[$AIRLOCK_SECRET]\" >&3"), "[]");
  ::unsetenv("AIRLOCK_SECRET");
}

TEST(Process, TheChildHasFourDescriptorsAndNoMore) {
  const Fd extra(::dup(0));  // not closed on exec, and still not handed on
  // The listing itself holds one descriptor open.
  EXPECT_EQ(answer("cd /proc/self/fd && set -- * && printf '%s ' \"$@\" >&3").substr(0, 8),
            "0 1 2 3 ");
}

TEST(Process, TheStandardStreamsGoNowhere) {
  EXPECT_EQ(
      answer("all=$(readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2); printf %s \"$all\" >&3"),
      "/dev/null\n/dev/null\n/dev/null");
}

TEST(Process, TheChildIsInAGroupOfItsOwn) {
  EXPECT_NE(answer("read -r _ _ _ _ group _ < /proc/$$/stat; printf %s \"$group\" >&3"),
            std::to_string(::getpgrp()));
}

TEST(Process, AMissingProgramIsAnErrorThatNamesIt) {
  const auto pair = make_socket_pair().value();
  const auto process = Process::start("/nowhere/airlock-host", {}, pair.second);
  ASSERT_FALSE(process);
  EXPECT_EQ(process.error().message, "start /nowhere/airlock-host: No such file or directory");
}

}  // namespace
}  // namespace airlock::os
