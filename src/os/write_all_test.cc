#include "os/write_all.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <thread>

#include "base/fd.h"
#include "os/interrupts.h"

namespace airlock::os {
namespace {

struct Pipe {
  Fd reading;
  Fd writing;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  return {Fd(ends[0]), Fd(ends[1])};
}

std::string read_all(int descriptor) {
  std::string all;
  std::array<char, 5000> part{};
  for (ssize_t got = 0; (got = ::read(descriptor, part.data(), part.size())) > 0;)
    all.append(part.data(), static_cast<std::size_t>(got));
  return all;
}

TEST(WriteAll, AReaderThatTakesItsTimeGetsAllOfIt) {
  for (const int flags : {0, O_NONBLOCK}) {
    Pipe pipe = make_pipe();
    ::fcntl(pipe.writing.get(), F_SETFL, flags);
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += std::to_string(i);
    std::string got;
    std::jthread reader([&] { got = read_all(pipe.reading.get()); });
    EXPECT_EQ(write_all(pipe.writing.get(), text), 0);
    pipe.writing.reset();
    reader.join();
    EXPECT_EQ(got, text);
  }
}

TEST(WriteAll, AReaderThatIsGoneIsAnError) {
  ::signal(SIGPIPE, SIG_IGN);
  Pipe pipe = make_pipe();
  pipe.reading.reset();
  EXPECT_EQ(write_all(pipe.writing.get(), "x"), EPIPE);
  EXPECT_EQ(write_all(-1, "x"), EBADF);
}

// In a process of its own: a signal that was noted stays noted.
TEST(WriteAll, WhoIsToldToStopDoesNotWaitForAReaderThatSleeps) {
  const Pipe pipe = make_pipe();
  const pid_t child = ::fork();
  if (child == 0) {
    note_interrupts();
    ::raise(SIGTERM);  // before the write: it wakes nobody
    const bool has_written = write_all(pipe.writing.get(), "there is room") == 0;
    const bool gives_up = write_all(pipe.writing.get(), std::string(1'000'000, 'x')) == ECANCELED;
    ::_exit(has_written && gives_up ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace airlock::os
