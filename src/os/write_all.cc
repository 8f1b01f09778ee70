// A write to a full pipe sleeps until there is room, and a signal that came a moment before it does
// not wake it. So we wait with poll(), which looks again after a while, and write no more than a
// pipe that has room is sure to take.
#include "os/write_all.h"

#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "os/interrupts.h"

namespace airlock::os {

namespace {

constexpr int kMoment = 100;  // milliseconds

bool can_be_full(int descriptor) {
  struct stat facts{};
  return ::fstat(descriptor, &facts) == 0 && !S_ISREG(facts.st_mode);
}

// False: we were told to stop, and it is still full.
bool wait_for_room(int descriptor) {
  pollfd waiting{descriptor, POLLOUT, 0};
  while (true) {
    const bool must_stop = pending_interrupt().has_value();
    const int ready = ::poll(&waiting, 1, must_stop ? 0 : kMoment);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return true;  // the write says what is wrong
    if (ready == 0 && must_stop) return false;
  }
}

}  // namespace

int write_all(int descriptor, std::string_view bytes) {
  const bool waits = can_be_full(descriptor);
  const std::size_t most = waits ? PIPE_BUF : bytes.size();
  while (!bytes.empty()) {
    if (waits && !wait_for_room(descriptor)) return ECANCELED;
    const ssize_t written = ::write(descriptor, bytes.data(), std::min(bytes.size(), most));
    if (written < 0 && errno != EINTR && errno != EAGAIN) return errno;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace airlock::os
