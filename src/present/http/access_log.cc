#include "present/http/access_log.h"

#include <fmt/format.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <utility>

#include "base/printable.h"
#include "base/utc_time.h"

namespace airlock::http {

namespace {

constexpr std::size_t kLongestShownPath = 200;
constexpr std::size_t kLongestShownMethod = 20;
// Milliseconds for a reader who takes nothing.
constexpr int kLogPatience = 200;

std::int64_t log_time() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string beginning(std::string_view text, std::size_t most) {
  return printable(text.substr(0, most)) + (text.size() > most ? "…" : "");
}

}  // namespace

AccessLog::AccessLog(int descriptor)
    : descriptor_(descriptor), writer_([this] { write_queued(); }) {}

AccessLog::~AccessLog() {
  {
    const std::scoped_lock held(lock_);
    is_over_ = true;
  }
  changed_.notify_all();
  writer_.join();
}

void AccessLog::write(std::string line) {
  {
    const std::scoped_lock held(lock_);
    if (lines_.size() >= kMostLines) {
      ++left_out_;
      return;
    }
    if (line.size() >= PIPE_BUF) line.resize(PIPE_BUF - 1);
    lines_.push_back(std::move(line) + "\n");
  }
  changed_.notify_one();
}

// False: the reader takes nothing. A pipe that can be written to takes PIPE_BUF bytes at once, so
// this never waits for longer.
bool AccessLog::put_out(std::string_view line) const {
  pollfd waiting{descriptor_, POLLOUT, 0};
  if (::poll(&waiting, 1, kLogPatience) <= 0) return false;
  ssize_t written = 0;
  do {
    written = ::write(descriptor_, line.data(), line.size());
  } while (written < 0 && errno == EINTR);
  return written >= 0;
}

void AccessLog::write_queued() {
  std::unique_lock held(lock_);
  while (true) {
    changed_.wait(held, [this] { return is_over_ || !lines_.empty(); });
    if (lines_.empty()) return;
    const std::string line = std::move(lines_.front());
    lines_.pop_front();
    const std::size_t left_out = std::exchange(left_out_, 0);
    held.unlock();
    if (left_out > 0) put_out(fmt::format("airlock: {} lines of the log are left out\n", left_out));
    const bool is_written = put_out(line);
    held.lock();
    if (!is_written) {
      left_out_ += left_out + 1;
      if (is_over_) return;
    }
  }
}

std::string AccessLog::request_line(std::string_view method, std::string_view path, int status,
                                    std::size_t bytes, double milliseconds) {
  return fmt::format("{} {} {} {} {} {:.1f}", utc_for_programs(log_time()),
                     beginning(method, kLongestShownMethod), beginning(path, kLongestShownPath),
                     status, bytes, milliseconds);
}

}  // namespace airlock::http
