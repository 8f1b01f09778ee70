#include "os/channel.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <thread>

namespace airlock::os {
namespace {

using namespace std::chrono_literals;

Deadline soon() {
  return std::chrono::steady_clock::now() + 10s;
}
Deadline now() {
  return std::chrono::steady_clock::now();
}

struct Ends {
  Channel near;
  Fd far;  // raw, for writing what a Channel never would
};

Ends make_ends() {
  auto pair = make_socket_pair().value();
  return {Channel(std::move(pair.first)), std::move(pair.second)};
}

void write_raw(const Fd& to, std::string_view bytes) {
  ASSERT_EQ(::send(to.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(bytes.size()));
}

TEST(Channel, WhatIsSentIsReceived) {
  auto [near, far] = make_ends();
  Channel other(std::move(far));
  ASSERT_TRUE(near.send("hello", soon()));
  EXPECT_EQ(other.receive(100, soon()), "hello");
}

TEST(Channel, MessagesKeepTheirOrderAndTheirEnds) {
  auto [near, far] = make_ends();
  Channel other(std::move(far));
  for (const char* text : {"one", "", "three"}) ASSERT_TRUE(near.send(text, soon()));
  EXPECT_EQ(other.receive(100, soon()), "one");
  EXPECT_EQ(other.receive(100, soon()), "") << "a message of no bytes is a message";
  EXPECT_EQ(other.receive(100, soon()), "three");
}

TEST(Channel, AMessageWrittenByteByByteIsPutTogether) {
  auto [near, far] = make_ends();
  const std::string bytes("\3\0\0\0abc", 7);
  for (const char byte : bytes) {
    EXPECT_EQ(near.receive(100, now()).error(), NoMessage::kTimedOut);
    write_raw(far, std::string(1, byte));
  }
  EXPECT_EQ(near.receive(100, soon()), "abc");
}

TEST(Channel, AMessageLargerThanTheSocketsBufferGoesThrough) {
  auto [near, far] = make_ends();
  Channel other(std::move(far));
  const std::string large(4 * 1024 * 1024, 'x');
  std::jthread sender([&] { EXPECT_TRUE(near.send(large, soon())); });
  EXPECT_EQ(other.receive(large.size(), soon()), large);
}

TEST(Channel, ALengthOverTheLimitIsRefusedBeforeItsBytesCome) {
  auto [near, far] = make_ends();
  write_raw(far, std::string("\x65\0\0\0", 4));
  EXPECT_EQ(near.receive(100, soon()).error(), NoMessage::kTooLong);
}

TEST(Channel, TheLargestLengthIsOnlyALie) {
  auto [near, far] = make_ends();
  write_raw(far, "\xFF\xFF\xFF\xFF");
  EXPECT_EQ(near.receive(100, soon()).error(), NoMessage::kTooLong);
}

TEST(Channel, ALengthAtTheLimitIsTaken) {
  auto [near, far] = make_ends();
  write_raw(far, std::string("\3\0\0\0abc", 7));
  EXPECT_EQ(near.receive(3, soon()), "abc");
}

TEST(Channel, APeerThatClosesIsNoticed) {
  auto [near, far] = make_ends();
  far.reset();
  EXPECT_EQ(near.receive(100, soon()).error(), NoMessage::kClosed);
}

TEST(Channel, AMessageThatEndsHalfwayIsNoMessage) {
  auto [near, far] = make_ends();
  write_raw(far, std::string("\5\0\0\0ab", 6));
  far.reset();
  EXPECT_EQ(near.receive(100, soon()).error(), NoMessage::kClosed);
}

TEST(Channel, WhatWasSentBeforeTheEndIsStillReceived) {
  auto [near, far] = make_ends();
  write_raw(far, std::string("\1\0\0\0a", 5));
  far.reset();
  EXPECT_EQ(near.receive(100, soon()), "a");
  EXPECT_EQ(near.receive(100, soon()).error(), NoMessage::kClosed);
}

TEST(Channel, WaitingEndsAtTheDeadline) {
  auto [near, far] = make_ends();
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(near.receive(100, start + 20ms).error(), NoMessage::kTimedOut);
  EXPECT_GE(std::chrono::steady_clock::now() - start, 20ms);
}

TEST(Channel, SendingToAPeerThatDoesNotReadEndsAtTheDeadline) {
  auto [near, far] = make_ends();
  const std::string large(16 * 1024 * 1024, 'x');
  EXPECT_FALSE(near.send(large, std::chrono::steady_clock::now() + 20ms));
}

TEST(Channel, SendingToAPeerThatIsGoneFailsWithoutASignal) {
  auto [near, far] = make_ends();
  far.reset();
  EXPECT_FALSE(near.send("hello", soon()));
}

TEST(Channel, ADescriptorComesAlong) {
  auto [near, far] = make_ends();
  Channel other(std::move(far));
  auto pair = make_socket_pair().value();
  ASSERT_TRUE(near.send("take this", soon(), pair.first.get()));
  EXPECT_FALSE(other.take_descriptor().is_open()) << "it comes with the message, not before";
  EXPECT_EQ(other.receive(100, soon()), "take this");
  Channel given(other.take_descriptor());
  Channel kept(std::move(pair.second));
  ASSERT_TRUE(given.send("through it", soon()));
  EXPECT_EQ(kept.receive(100, soon()), "through it");
}

TEST(Channel, AtMostEightDescriptorsAreKept) {
  auto [near, far] = make_ends();
  Channel other(std::move(far));
  for (int i = 0; i < 12; ++i) ASSERT_TRUE(near.send("more", soon(), near.descriptor()));
  for (int i = 0; i < 12; ++i) ASSERT_TRUE(other.receive(100, soon()));
  int kept = 0;
  while (other.take_descriptor().is_open()) ++kept;
  EXPECT_LE(kept, 8);
  EXPECT_GT(kept, 0);
}

TEST(Channel, WhatIsQueuedIsWrittenAsThePeerTakesIt) {
  auto [near, far] = make_ends();
  Channel other(std::move(far));
  const std::string large(3'000'000, 'x');
  near.queue("first");
  near.queue(large);
  near.queue("last");
  ASSERT_TRUE(near.flush());
  EXPECT_TRUE(near.has_queued()) << "more than a socket holds";
  EXPECT_EQ(other.receive(100, soon()), "first");
  std::expected<std::string, NoMessage> got = std::unexpected(NoMessage::kTimedOut);
  while (!got && got.error() == NoMessage::kTimedOut) {
    ASSERT_TRUE(near.flush());
    got = other.receive(large.size(), std::chrono::steady_clock::now());
  }
  EXPECT_EQ(got, large);
  ASSERT_TRUE(near.flush());
  EXPECT_FALSE(near.has_queued());
  EXPECT_EQ(other.receive(100, soon()), "last");
}

TEST(Channel, WhatIsQueuedForOneWhoHasGoneIsNotWritten) {
  auto [near, far] = make_ends();
  far.reset();
  near.queue("to nobody");
  EXPECT_FALSE(near.flush());
}

TEST(Channel, BothEndsAreClosedOnExec) {
  const auto pair = make_socket_pair().value();
  EXPECT_NE(::fcntl(pair.first.get(), F_GETFD) & FD_CLOEXEC, 0);
  EXPECT_NE(::fcntl(pair.second.get(), F_GETFD) & FD_CLOEXEC, 0);
}

}  // namespace
}  // namespace airlock::os
