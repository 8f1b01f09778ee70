// A real airlock-host and the near end of its socket, for tests that speak to it in bytes: what the
// supervisor would never say included. Nothing here waits for ever.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "os/channel.h"
#include "os/process.h"
#include "os/shared_notes.h"
#include "wire/bulk_messages.h"
#include "wire/cell_messages.h"
#include "wire/messages.h"

namespace airlock::guest::test {

// How a host ends: as guest/*.cc have it.
enum HostExit { kDone = 0, kUnknownRole = 2, kCannotStart = 3, kBadRequest = 4, kPeerGone = 5 };

inline os::Deadline soon() {
  return std::chrono::steady_clock::now() + std::chrono::seconds(60);
}

// One end of a conversation.
class Talk {
 public:
  explicit Talk(Fd socket) : channel_(std::move(socket)) {}

  void say(std::string_view message, int descriptor = -1) {
    static_cast<void>(channel_.send(message, soon(), descriptor));
  }
  void say_with(std::string_view message, std::span<const int> descriptors) {
    static_cast<void>(channel_.send(message, soon(), descriptors));
  }
  // Bytes that need not be a message: a length may lie.
  void say_raw(std::string_view bytes) {
    static_cast<void>(::send(channel_.descriptor(), bytes.data(), bytes.size(), MSG_NOSIGNAL));
  }
  void stop_talking() { ::shutdown(channel_.descriptor(), SHUT_WR); }

  // The next message; nothing when there is none any more.
  std::optional<std::string> hear() {
    auto heard = channel_.receive(64 << 20, soon());
    if (!heard) return std::nullopt;
    return std::move(*heard);
  }
  Fd take_descriptor() { return channel_.take_descriptor(); }

 private:
  os::Channel channel_;
};

class Host : public Talk {
 public:
  explicit Host(const std::string& role) : Host(role, os::make_socket_pair().value()) {}

  // Its exit code, once it has ended by itself; a signal is a negative number.
  int exit_code() {
    EXPECT_TRUE(process_.has_ended_within(std::chrono::seconds(60))) << "it does not end";
    const os::ExitStatus status = process_.wait();
    return status.was_signalled ? -status.number : status.number;
  }
  // The same, after the last word.
  int exit_code_after(std::string_view message) {
    say(message);
    stop_talking();
    return exit_code();
  }
  bool is_alive() { return !process_.has_ended_within(std::chrono::milliseconds(0)); }
  pid_t id() const { return process_.id(); }

 private:
  Host(const std::string& role, std::pair<Fd, Fd> sockets)
      : Talk(std::move(sockets.first)),
        process_(os::Process::start(AIRLOCK_HOST_FOLDER "/airlock-host", {role}, sockets.second)
                     .value()) {}

  os::Process process_;
};

// What a supervisor says first, with the built-in policy of that name.
inline std::string hello(std::string_view policy = "extractor") {
  return wire::encode_hello(*find_builtin_policy(policy));
}

// The compiled form of a program that nobody judges; by one vetter for all tests.
inline std::string compiled(std::string_view program) {
  static Host vetter = [] {
    Host made("vetter");
    made.say(hello("node"));
    EXPECT_TRUE(made.hear());
    return made;
  }();
  vetter.say(wire::encode_vet(program, {.security = false, .signature = false, .compile = true},
                              TextKind::kProgram));
  const auto verdict = wire::decode_verdict(vetter.hear().value_or(""));
  EXPECT_TRUE(verdict && verdict->decision == Decision::kAccepted) << program;
  return verdict ? verdict->compiled : "";
}

}  // namespace airlock::guest::test
