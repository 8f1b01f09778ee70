#include "os/wake_up.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

namespace airlock::os {

Result<WakeUp> WakeUp::make() {
  Fd event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!event.is_open()) return fail_errno("make an event");
  return WakeUp(std::move(event));
}

void WakeUp::ring() const {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(event_.get(), &one, sizeof one);
}

void WakeUp::clear() const {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t got = ::read(event_.get(), &count, sizeof count);
}

}  // namespace airlock::os
