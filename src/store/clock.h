// The time as a seam: tests say what it is.
#pragma once

#include <chrono>
#include <cstdint>

namespace airlock::store {

class Clock {
 public:
  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  virtual ~Clock() = default;

  // Milliseconds since 1970.
  virtual std::int64_t now() const {
    using std::chrono::duration_cast;
    return duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  }
};

}  // namespace airlock::store
