#include "present/serve/line_stream.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>
#include <utility>

#include "base/fd.h"

namespace airlock::serve {
namespace {

struct Pair {
  Fd near;
  Fd far;
};

Pair socket_pair() {
  int ends[2] = {-1, -1};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  return {Fd(ends[0]), Fd(ends[1])};
}

// Its reading end is near.
Pair pipe_pair() {
  int ends[2] = {-1, -1};
  EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  return {Fd(ends[0]), Fd(ends[1])};
}

void say(const Fd& to, std::string_view bytes) {
  ASSERT_EQ(::write(to.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
}

constexpr int kSoon = 50;  // milliseconds

TEST(LineStream, GivesLinesOneByOneAndPassesOverBlankOnes) {
  const Pair sockets = socket_pair();
  LineStream stream(sockets.near.get(), sockets.near.get(), -1);
  say(sockets.far, "one\n\n \t\r\ntwo\r\nthr");
  EXPECT_EQ(stream.read_line().value(), "one");
  EXPECT_EQ(stream.read_line().value(), "two");
  say(sockets.far, "ee\nfour\n");
  EXPECT_EQ(stream.read_line().value(), "three");
  EXPECT_EQ(stream.read_line().value(), "four");
}

TEST(LineStream, HalfALineAtTheEndIsNone) {
  Pair sockets = socket_pair();
  LineStream stream(sockets.near.get(), sockets.near.get(), -1);
  say(sockets.far, "whole\nhalf");
  sockets.far.reset();
  EXPECT_EQ(stream.read_line().value(), "whole");
  EXPECT_EQ(stream.read_line().error(), LineStream::NoLine::kClosed);
}

TEST(LineStream, ALineThatIsTooLongEndsTheReading) {
  Pair sockets = socket_pair();
  LineStream stream(sockets.near.get(), sockets.near.get(), -1);
  std::thread writer([far = std::move(sockets.far)] {
    const std::string chunk(1024 * 1024, 'x');
    while (::send(far.get(), chunk.data(), chunk.size(), MSG_NOSIGNAL) > 0) {
    }
  });
  EXPECT_EQ(stream.read_line().error(), LineStream::NoLine::kTooLong);
  sockets.near.reset();
  writer.join();
}

TEST(LineStream, ALineThatIsTooLongCanBePassedOver) {
  Pair sockets = socket_pair();
  LineStream stream(sockets.near.get(), sockets.near.get(), -1);
  std::thread writer([&sockets] {
    const std::string chunk(1024 * 1024, 'x');
    for (std::size_t sent = 0; sent < LineStream::kMostLine + 2 * chunk.size();
         sent += chunk.size())
      say(sockets.far, chunk);
    say(sockets.far, "end\nnext\n");
  });
  EXPECT_EQ(stream.read_line().error(), LineStream::NoLine::kTooLong);
  EXPECT_TRUE(stream.skip_line());
  EXPECT_EQ(stream.read_line().value(), "next");
  writer.join();
  sockets.far.reset();
  EXPECT_FALSE(stream.skip_line());
}

TEST(LineStream, TheStopEndsTheReading) {
  const Pair sockets = socket_pair();
  const Pair stop = pipe_pair();
  LineStream stream(sockets.near.get(), sockets.near.get(), stop.near.get());
  say(stop.far, "!");
  EXPECT_EQ(stream.read_line().error(), LineStream::NoLine::kClosed);
}

// Over a socket and over a pipe: whoever takes no lines is not read from any more.
void expect_given_up(int in, int out) {
  LineStream stream(in, out, -1, kSoon);
  EXPECT_TRUE(stream.has_room());
  EXPECT_TRUE(stream.write_line(std::string(LineStream::kMostQueued, 'x'))) << "nobody waits here";
  EXPECT_FALSE(stream.has_room());
  EXPECT_EQ(stream.read_line().error(), LineStream::NoLine::kClosed);
  EXPECT_FALSE(stream.write_line("more"));
  EXPECT_FALSE(stream.await_room({}));
}

TEST(LineStream, APeerThatTakesNothingIsGivenUp) {
  const Pair sockets = socket_pair();
  expect_given_up(sockets.near.get(), sockets.near.get());
  const Pair requests = pipe_pair();
  const Pair answers = pipe_pair();
  expect_given_up(requests.near.get(), answers.far.get());
}

TEST(LineStream, LinesOfManyThreadsAreWhole) {
  Pair answers = pipe_pair();
  const Pair requests = pipe_pair();
  LineStream writing(requests.near.get(), answers.far.get(), -1);
  LineStream reading(answers.near.get(), requests.far.get(), -1);
  constexpr int kLines = 20;
  std::array<std::thread, 4> writers;
  for (std::size_t i = 0; i < writers.size(); ++i) {
    writers[i] = std::thread([&, i] {
      const std::string line(20'000, static_cast<char>('a' + i));
      for (int n = 0; n < kLines; ++n) writing.write_line(line);
    });
  }
  for (std::size_t n = 0; n < kLines * writers.size(); ++n) {
    const std::string line = reading.read_line().value();
    EXPECT_EQ(line, std::string(20'000, line.front()));
  }
  for (std::thread& writer : writers) writer.join();
}

}  // namespace
}  // namespace airlock::serve
