// Messages over a stream socket: four bytes of length (little-endian), then that many bytes; file
// descriptors can go along. Every conversation between airlock and its helper processes runs over
// one of these (the messages themselves are in wire/). The peer may be hostile: the length is
// checked against a limit before anything is allocated, no call waits beyond its deadline, and
// descriptors that nobody asked for are closed. One thread uses a Channel at a time. After a
// failed send or receive the stream may stand in the middle of a message: give the Channel up.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"

namespace airlock::os {

using Deadline = std::optional<std::chrono::steady_clock::time_point>;  // nothing: wait for ever

inline Deadline deadline_in(std::chrono::steady_clock::duration time) {
  return std::chrono::steady_clock::now() + time;
}

inline bool is_past(std::chrono::steady_clock::time_point end) {
  return std::chrono::steady_clock::now() > end;
}

// Why a receive gave no message. kClosed: the peer has gone; kTooLong: it announced more than the
// caller takes.
enum class NoMessage { kClosed, kTimedOut, kTooLong, kFailed };

class Channel {
 public:
  explicit Channel(Fd socket) : socket_(std::move(socket)) {}

  // False when the peer is gone or does not take it before the deadline. `descriptor` (when it is
  // not -1) goes along.
  bool send(std::string_view message, Deadline deadline, int descriptor = -1);
  // At most 2 descriptors.
  bool send(std::string_view message, Deadline deadline, std::span<const int> descriptors);
  // For one who must not wait: the message is written as far as the peer takes it, by this and by
  // later calls of flush(). Not to be mixed with send() while something is queued.
  void queue(std::string_view message);
  // False: the peer is gone. has_queued() says whether there is more to write.
  bool flush();
  bool has_queued() const { return !queued_.empty(); }
  std::expected<std::string, NoMessage> receive(std::size_t max_bytes, Deadline deadline);

  // Is there something to receive, perhaps not yet a whole message, or has the peer gone? Never
  // waits.
  bool has_input() const;
  // The same, but a peer that has gone without another byte is none.
  bool has_bytes() const;

  // Waits until there is something to receive, or `other` (a descriptor) is readable; false when
  // the deadline came first.
  bool wait_for_input(Deadline deadline, int other) const;

  // The oldest descriptor that came along with the messages so far; closed when there is none. At
  // most 8 are kept.
  Fd take_descriptor();

  // Those that are kept are closed, and from now on those that come along, at once.
  void refuse_descriptors();

  int descriptor() const { return socket_.get(); }

 private:
  std::expected<void, NoMessage> fill(std::size_t bytes, Deadline deadline);
  ssize_t receive_some(char* to,
                       std::size_t bytes);  // as recv(); keeps descriptors that come along

  Fd socket_;
  std::string queued_;     // to be written, with the lengths in front
  std::string buffer_;     // received, not yet handed out
  std::size_t start_ = 0;  // where the next message begins in it
  std::deque<Fd> descriptors_;
  bool keeps_descriptors_ = true;
};

// Two connected ends, closed on exec.
Result<std::pair<Fd, Fd>> make_socket_pair();

}  // namespace airlock::os
