// How long a thread waits for other programs: as long as it has patience. Somebody who leaves takes
// it away, and what waits (for a lock, for a writer) ends with its Error.
#pragma once

#include <stop_token>
#include <utility>

namespace airlock {

class Patience {
 public:
  // For this thread, until the end of the scope: it is over when `stop` is requested.
  explicit Patience(std::stop_token stop) : before_(std::exchange(current(), std::move(stop))) {}
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;
  ~Patience() { current() = std::move(before_); }

  static bool is_over() { return current().stop_requested(); }

 private:
  static std::stop_token& current() {
    thread_local std::stop_token token;
    return token;
  }

  std::stop_token before_;
};

}  // namespace airlock
