#include "os/channel.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "os/interrupts.h"

namespace airlock::os {

namespace {

// Bytes: of the length in front of each message, and the least and the most that is read at once. A
// small message is read together with what follows it; a large one never makes us allocate much
// more than has really come, whatever length it announced.
constexpr std::size_t kHeader = 4;
constexpr std::size_t kChunk = 64 * 1024;
constexpr std::size_t kMostAtOnce = 256 * 1024;

bool is_over(Deadline deadline) {
  return deadline && std::chrono::steady_clock::now() >= *deadline;
}

// How long to sleep before looking again. -1 for ever; at least 1 ms while time is left, so that a
// short rest does not spin.
int milliseconds_to_wait(Deadline deadline) {
  // Milliseconds. A signal handler runs in one thread only, and poll() in the others goes on: so
  // they wake up ten times a second, but only in programs that asked for it.
  const std::int64_t most = may_have_to_end_waits() ? 100 : 1'000'000;
  if (!deadline) return may_have_to_end_waits() ? static_cast<int>(most) : -1;
  const auto left = *deadline - std::chrono::steady_clock::now();
  if (left <= std::chrono::nanoseconds(0)) return 0;
  const auto count = std::chrono::ceil<std::chrono::milliseconds>(left).count();
  return static_cast<int>(std::min<std::int64_t>(count, most));
}

bool wait_for(std::span<pollfd> waiting, Deadline deadline) {
  while (true) {
    const int ready = ::poll(waiting.data(), waiting.size(), milliseconds_to_wait(deadline));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return true;  // the read or write that follows says why
    if (must_end_waits() || is_over(deadline)) return false;
  }
}

bool wait_for(int descriptor, short events, Deadline deadline) {
  pollfd waiting{descriptor, events, 0};
  return wait_for(std::span(&waiting, 1), deadline);
}

// A caller that closed its standard streams would get those numbers for sockets, and a child's own
// streams would land on them. Descriptor 3 is where a child finds its end of the socket
// (os/process.h), so both ends stay above that too.
Result<void> keep_above_standard(Fd& end) {
  if (end.get() > 3) return {};
  Fd higher(::fcntl(end.get(), F_DUPFD_CLOEXEC, 4));
  if (!higher.is_open()) return fail_errno("move a socket");
  end = std::move(higher);
  return {};
}

// Byte by byte, so that it is little-endian whatever the machine is.
std::array<char, kHeader> header_of(std::uint32_t length) {
  std::array<char, kHeader> header{};
  for (std::size_t i = 0; i < kHeader; ++i) header[i] = static_cast<char>(length >> (8 * i) & 0xFF);
  return header;
}

}  // namespace

void Channel::queue(std::string_view message) {
  const auto header = header_of(static_cast<std::uint32_t>(message.size()));
  queued_.append(header.data(), header.size());
  queued_ += message;
}

bool Channel::flush() {
  std::size_t sent = 0;
  while (sent < queued_.size()) {
    const ssize_t written = ::send(socket_.get(), queued_.data() + sent, queued_.size() - sent,
                                   MSG_NOSIGNAL | MSG_DONTWAIT);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno != EAGAIN && errno != EWOULDBLOCK) return false;
    if (written <= 0) break;
    sent += static_cast<std::size_t>(written);
  }
  queued_.erase(0, sent);
  return true;
}

bool Channel::send(std::string_view message, Deadline deadline, int descriptor) {
  return send(message, deadline,
              descriptor >= 0 ? std::span<const int>(&descriptor, 1) : std::span<const int>());
}

bool Channel::send(std::string_view message, Deadline deadline, std::span<const int> descriptors) {
  constexpr std::size_t kMost = 2;
  if (descriptors.size() > kMost) return false;
  const auto length = static_cast<std::uint32_t>(message.size());
  if (length != message.size()) return false;
  std::array<char, kHeader> header = header_of(length);
  std::size_t sent = 0;
  const std::size_t total = kHeader + message.size();
  while (sent < total) {
    std::array<iovec, 2> parts{};
    std::size_t count = 0;
    if (sent < kHeader) parts[count++] = {header.data() + sent, kHeader - sent};
    const std::size_t from = sent < kHeader ? 0 : sent - kHeader;
    if (from < message.size())
      parts[count++] = {const_cast<char*>(message.data()) + from, message.size() - from};
    msghdr envelope{};
    envelope.msg_iov = parts.data();
    envelope.msg_iovlen = count;
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMost)> control{};
    // Descriptors go with the first byte, once: a second sendmsg() would send copies of them again.
    if (!descriptors.empty() && sent == 0) {
      envelope.msg_control = control.data();
      envelope.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
      cmsghdr* note = CMSG_FIRSTHDR(&envelope);
      note->cmsg_level = SOL_SOCKET;
      note->cmsg_type = SCM_RIGHTS;
      note->cmsg_len = CMSG_LEN(descriptors.size_bytes());
      std::memcpy(CMSG_DATA(note), descriptors.data(), descriptors.size_bytes());
    }
    // MSG_NOSIGNAL: a peer that is gone is an error here, not a SIGPIPE. MSG_DONTWAIT: all waiting
    // is in poll(), which knows the deadline.
    const ssize_t written = ::sendmsg(socket_.get(), &envelope, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (written > 0) {
      sent += static_cast<std::size_t>(written);
    } else if (written < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      if (!wait_for(socket_.get(), POLLOUT, deadline)) return false;
    } else if (written < 0 && errno == EINTR) {
      continue;
    } else {
      return false;
    }
  }
  return true;
}

ssize_t Channel::receive_some(char* to, std::size_t bytes) {
  constexpr std::size_t kMaxKept = 8;
  iovec part{to, bytes};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMaxKept)> control{};
  msghdr envelope{};
  envelope.msg_iov = &part;
  envelope.msg_iovlen = 1;
  envelope.msg_control = control.data();
  envelope.msg_controllen = control.size();
  const ssize_t got = ::recvmsg(socket_.get(), &envelope, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  // Closing descriptors below may change errno, which the caller still wants.
  const int why = errno;
  for (cmsghdr* note = got >= 0 ? CMSG_FIRSTHDR(&envelope) : nullptr; note != nullptr;
       note = CMSG_NXTHDR(&envelope, note)) {
    if (note->cmsg_level != SOL_SOCKET || note->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (note->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int number = -1;
      std::memcpy(&number, CMSG_DATA(note) + i * sizeof(int), sizeof(int));
      // Owned at once: whatever is not kept is closed when it goes out of scope, so that a peer
      // cannot fill our table of descriptors.
      Fd received(number);
      if (!keeps_descriptors_) continue;
      descriptors_.push_back(std::move(received));
      if (descriptors_.size() > kMaxKept) descriptors_.pop_front();
    }
  }
  errno = why;
  return got;
}

bool Channel::has_input() const {
  pollfd waiting{socket_.get(), POLLIN, 0};
  // A peer that has gone makes the socket readable too: reading then gives the end.
  return start_ < buffer_.size() || ::poll(&waiting, 1, 0) > 0;
}

bool Channel::wait_for_input(Deadline deadline, int other) const {
  std::array<pollfd, 2> waiting{{{socket_.get(), POLLIN, 0}, {other, POLLIN, 0}}};
  return wait_for(waiting, deadline);
}

bool Channel::has_bytes() const {
  if (start_ < buffer_.size()) return true;
  char byte = 0;
  return ::recv(socket_.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

void Channel::refuse_descriptors() {
  keeps_descriptors_ = false;
  descriptors_.clear();
}

Fd Channel::take_descriptor() {
  if (descriptors_.empty()) return Fd();
  Fd first = std::move(descriptors_.front());
  descriptors_.pop_front();
  return first;
}

std::expected<void, NoMessage> Channel::fill(std::size_t bytes, Deadline deadline) {
  while (buffer_.size() - start_ < bytes) {
    if (start_ > 0) {
      buffer_.erase(0, start_);
      start_ = 0;
    }
    const std::size_t have = buffer_.size();
    const std::size_t want = std::clamp(bytes - have, kChunk, kMostAtOnce);
    // Not filled with zeros first: it is about to be written over.
    buffer_.resize_and_overwrite(have + want, [](char*, std::size_t size) { return size; });
    const ssize_t got = receive_some(buffer_.data() + have, want);
    const int why = errno;
    buffer_.resize(have + (got > 0 ? static_cast<std::size_t>(got) : 0));
    if (got > 0) {
      // A peer that trickles bytes must not keep us beyond the deadline.
      if (buffer_.size() < bytes && is_over(deadline)) return std::unexpected(NoMessage::kTimedOut);
      continue;
    }
    if (got == 0) return std::unexpected(NoMessage::kClosed);
    if (why == EAGAIN || why == EWOULDBLOCK) {
      if (!wait_for(socket_.get(), POLLIN, deadline)) return std::unexpected(NoMessage::kTimedOut);
    } else if (why == ECONNRESET) {
      return std::unexpected(NoMessage::kClosed);
    } else if (why != EINTR) {
      return std::unexpected(NoMessage::kFailed);
    }
  }
  return {};
}

// Bytes beyond this message stay in the buffer for the next one; that is what `start_` is for.
std::expected<std::string, NoMessage> Channel::receive(std::size_t max_bytes, Deadline deadline) {
  TRY(fill(kHeader, deadline));
  std::uint32_t length = 0;
  for (std::size_t i = 0; i < kHeader; ++i) {
    length |= std::uint32_t{static_cast<unsigned char>(buffer_[start_ + i])} << (8 * i);
  }
  if (length > max_bytes) return std::unexpected(NoMessage::kTooLong);
  TRY(fill(kHeader + length, deadline));
  std::string message = buffer_.substr(start_ + kHeader, length);
  start_ += kHeader + length;
  if (start_ == buffer_.size()) {
    buffer_.clear();
    start_ = 0;
  }
  return message;
}

Result<std::pair<Fd, Fd>> make_socket_pair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return fail_errno("make a socket pair");
  std::pair<Fd, Fd> pair(ends[0], ends[1]);
  TRY(keep_above_standard(pair.first));
  TRY(keep_above_standard(pair.second));
  return pair;
}

}  // namespace airlock::os
