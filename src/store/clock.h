// The time as a seam: tests say what it is. Wall-clock time, because it is kept and shown; it may
// jump in either direction, which those who compare times have to bear. For waiting and measuring
// steady_clock is used directly.
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
