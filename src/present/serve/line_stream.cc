#include "present/serve/line_stream.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <utility>

namespace airlock::serve {

namespace {

constexpr std::size_t kChunk = 64 * 1024;

}  // namespace

LineStream::LineStream(int in, int out, int stop, int write_patience)
    : in_(in),
      out_(out),
      stop_(stop),
      write_patience_(write_patience),
      gone_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  struct stat about{};
  is_socket_ = ::fstat(out, &about) == 0 && S_ISSOCK(about.st_mode);
  writer_ = std::thread([this] { write_queued(); });
}

LineStream::~LineStream() {
  {
    const std::scoped_lock held(lock_);
    is_over_ = true;
  }
  changed_.notify_all();
  writer_.join();
}

// False: the stop came first, or the time was up. Nothing is read any more after a stop; what can
// be written at once still is: a client is told of the end.
bool LineStream::wait_for(int descriptor, short events, int milliseconds) const {
  const int gone = events == POLLIN && gone_.is_open() ? gone_.get() : -1;
  std::array<pollfd, 3> waiting{{{descriptor, events, 0}, {stop_, POLLIN, 0}, {gone, POLLIN, 0}}};
  while (true) {
    const int ready = ::poll(waiting.data(), waiting.size(), milliseconds);
    if (ready < 0 && errno == EINTR) continue;
    if (events == POLLOUT && waiting[0].revents != 0) return true;
    return waiting[1].revents == 0 && waiting[2].revents == 0 && ready != 0;
  }
}

std::expected<std::string, LineStream::NoLine> LineStream::read_line() {
  while (true) {
    const std::size_t end = buffer_.find('\n', std::max(start_, scanned_));
    if (end != std::string::npos) {
      if (!await_reader()) return std::unexpected(NoLine::kClosed);
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
    if (!read_some()) return std::unexpected(NoLine::kClosed);
  }
}

// Waits until the peer has read most of what it was told. False: it has gone, or the stop came.
bool LineStream::await_reader() {
  constexpr int kLookEvery = 20;  // milliseconds
  while (true) {
    {
      const std::scoped_lock held(lock_);
      if (is_gone_) return false;
      if (queued_bytes_ < kMostQueuedToRead) return true;
    }
    std::array<pollfd, 1> waiting{{{stop_, POLLIN, 0}}};
    if (::poll(waiting.data(), waiting.size(), kLookEvery) > 0) return false;
  }
}

// Waits for at least one byte more. False: there will be none.
bool LineStream::read_some() {
  while (true) {
    if (!wait_for(in_, POLLIN, -1)) return false;
    const std::size_t have = buffer_.size();
    buffer_.resize(have + kChunk);
    const ssize_t got = ::read(in_, buffer_.data() + have, kChunk);
    buffer_.resize(have + (got > 0 ? static_cast<std::size_t>(got) : 0));
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    return got > 0;
  }
}

bool LineStream::skip_line() {
  while (true) {
    const std::size_t end = buffer_.find('\n', scanned_);
    if (end != std::string::npos) {
      start_ = scanned_ = end + 1;
      return true;
    }
    buffer_.clear();
    start_ = scanned_ = 0;
    if (!read_some()) return false;
  }
}

// What a socket takes now; of what is none (a pipe), so little that a write does not wait when
// there is room at all.
ssize_t LineStream::write_some(std::string_view bytes) {
  if (is_socket_) return ::send(out_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (!wait_for(out_, POLLOUT, write_patience_)) return 0;
  return ::write(out_, bytes.data(), std::min<std::size_t>(bytes.size(), PIPE_BUF));
}

// False: the peer is gone.
bool LineStream::write_all(std::string_view left) {
  while (!left.empty()) {
    const ssize_t written = write_some(left);
    if (written > 0) {
      left.remove_prefix(static_cast<std::size_t>(written));
    } else if (written < 0 && errno == EAGAIN) {
      if (!wait_for(out_, POLLOUT, write_patience_)) return false;
    } else if (written == 0 || errno != EINTR) {
      return false;
    }
  }
  return true;
}

void LineStream::write_queued() {
  std::unique_lock held(lock_);
  while (true) {
    changed_.wait(held, [this] { return is_over_ || !queue_.empty(); });
    if (queue_.empty()) return;
    const std::string line = std::move(queue_.front());
    queue_.pop_front();
    held.unlock();
    const bool is_taken = write_all(line);
    held.lock();
    queued_bytes_ -= line.size() + kLineOverhead;
    if (!is_taken) {
      is_gone_ = true;
      queue_.clear();
      queued_bytes_ = 0;
      ::eventfd_write(gone_.get(), 1);
    }
    changed_.notify_all();
  }
}

bool LineStream::write_line(std::string line) {
  line += '\n';
  {
    const std::scoped_lock held(lock_);
    if (is_gone_) return false;
    queued_bytes_ += line.size() + kLineOverhead;
    queue_.push_back(std::move(line));
  }
  changed_.notify_all();
  return true;
}

bool LineStream::has_room() {
  const std::scoped_lock held(lock_);
  return queued_bytes_ < kMostQueued;
}

bool LineStream::await_room(const std::stop_token& stop) {
  std::unique_lock held(lock_);
  return changed_.wait(held, stop, [this] { return is_gone_ || queued_bytes_ < kMostQueued; }) &&
         !is_gone_;
}

}  // namespace airlock::serve
