// One line on standard error for each request: when, method, address, status, bytes, milliseconds.
// Never a body, a query, a header, a token, or the name of a session. Lines are written by a thread
// of the log's own: a reader who is slow or asleep costs lines (their number is told), not time.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace airlock::http {

class AccessLog {
 public:
  explicit AccessLog(int descriptor);
  ~AccessLog();  // what is queued is written, if somebody takes it
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;

  // From any thread, without waiting. Without its end; it is ours, or made safe to show.
  void write(std::string line);

  // "2026-11-16T13:50:46.123Z POST /v1/check 200 1234 3.1". `path`: of the table, or a stranger's.
  static std::string request_line(std::string_view method, std::string_view path, int status,
                                  std::size_t bytes, double milliseconds);

 private:
  static constexpr std::size_t kMostLines = 10'000;

  void write_queued();
  bool put_out(std::string_view line) const;

  const int descriptor_;
  std::mutex lock_;  // of what follows
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  std::size_t left_out_ = 0;
  bool is_over_ = false;
  std::thread writer_;  // last
};

}  // namespace airlock::http
