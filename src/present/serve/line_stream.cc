#include "present/serve/line_stream.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>

namespace airlock::serve {

namespace {

constexpr std::size_t kChunk = 64 * 1024;
// A peer that takes nothing for so long is gone.
constexpr int kWritePatience = 30'000;  // milliseconds

}  // namespace

// False: the stop came first, or the time was up. Nothing is read any more after a stop; what can
// be written at once still is: a client is told of the end.
bool LineStream::wait_for(int descriptor, short events, int milliseconds) const {
  std::array<pollfd, 2> waiting{{{descriptor, events, 0}, {stop_, POLLIN, 0}}};
  while (true) {
    const int ready = ::poll(waiting.data(), waiting.size(), milliseconds);
    if (ready < 0 && errno == EINTR) continue;
    if (events == POLLOUT && waiting[0].revents != 0) return true;
    return waiting[1].revents == 0 && ready != 0;
  }
}

std::expected<std::string, LineStream::NoLine> LineStream::read_line() {
  while (true) {
    const std::size_t end = buffer_.find('\n', std::max(start_, scanned_));
    if (end != std::string::npos) {
      std::string line = buffer_.substr(start_, end - start_);
      start_ = scanned_ = end + 1;
      if (start_ == buffer_.size()) {
        buffer_.clear();
        start_ = scanned_ = 0;
      }
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      if (line.back() == '\r') line.pop_back();
      return line;
    }
    scanned_ = buffer_.size();
    if (buffer_.size() - start_ > kMostLine) return std::unexpected(NoLine::kTooLong);
    if (start_ > 0) {
      buffer_.erase(0, start_);
      scanned_ -= start_;
      start_ = 0;
    }
    if (!wait_for(in_, POLLIN, -1)) return std::unexpected(NoLine::kClosed);
    const std::size_t have = buffer_.size();
    buffer_.resize(have + kChunk);
    const ssize_t got = ::read(in_, buffer_.data() + have, kChunk);
    buffer_.resize(have + (got > 0 ? static_cast<std::size_t>(got) : 0));
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return std::unexpected(NoLine::kClosed);
  }
}

// What a socket takes now; of what is none (a pipe), so little that a write does not wait when
// there is room at all.
ssize_t LineStream::write_some(std::string_view bytes) {
  const ssize_t sent = ::send(out_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent >= 0 || errno != ENOTSOCK) return sent;
  if (!wait_for(out_, POLLOUT, kWritePatience)) return 0;
  return ::write(out_, bytes.data(), std::min<std::size_t>(bytes.size(), PIPE_BUF));
}

bool LineStream::write_line(std::string line) {
  line += '\n';
  const std::scoped_lock held(writing_);
  std::string_view left = line;
  while (!is_gone_ && !left.empty()) {
    const ssize_t written = write_some(left);
    if (written > 0) {
      left.remove_prefix(static_cast<std::size_t>(written));
    } else if (written < 0 && errno == EAGAIN) {
      is_gone_ = !wait_for(out_, POLLOUT, kWritePatience);
    } else if (written == 0 || errno != EINTR) {
      is_gone_ = true;
    }
  }
  return !is_gone_;
}

}  // namespace airlock::serve
