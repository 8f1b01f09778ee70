// A write to a full pipe sleeps until there is room, and a signal that came a moment before it does
// not wake it. So a pipe is opened a second time, for us alone and without sleeping (the first is
// shared with others, who may want to sleep), and we wait with poll(), which looks again after a
// while. Where that cannot be had, and on terminals and sockets, we wait for room and then write no
// more than a pipe that has some is sure to take. What a pipe gets comes in pieces of at most
// PIPE_BUF bytes, which it takes whole or not at all, and of whole lines as far as they fit into
// that: so no line is torn when we have to stop.
#include "os/write_all.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "base/fd.h"
#include "os/interrupts.h"

namespace airlock::os {

namespace {

constexpr int kMoment = 100;  // milliseconds

enum class StreamKind { kNeverFull, kPipe, kOther };

StreamKind kind_of(int descriptor) {
  struct stat facts{};
  if (::fstat(descriptor, &facts) != 0)
    return StreamKind::kNeverFull;  // the write says what is wrong
  if (S_ISFIFO(facts.st_mode)) return StreamKind::kPipe;
  return S_ISSOCK(facts.st_mode) || ::isatty(descriptor) == 1 ? StreamKind::kOther
                                                              : StreamKind::kNeverFull;
}

// Opening /proc/self/fd/N makes a new open file with flags of its own; dup() would share them.
Fd open_nonblocking(int pipe) {
  const std::string place = "/proc/self/fd/" + std::to_string(pipe);
  return Fd(::open(place.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
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

std::string_view next_piece(std::string_view bytes) {
  if (bytes.size() <= PIPE_BUF) return bytes;
  const std::size_t end = bytes.substr(0, PIPE_BUF).rfind('\n');
  return bytes.substr(0, end == std::string_view::npos ? PIPE_BUF : end + 1);
}

}  // namespace

int write_all(int descriptor, std::string_view bytes) {
  const StreamKind kind = kind_of(descriptor);
  // Small writes to a pipe are whole or not at all anyway, and need no second descriptor.
  const Fd own =
      kind == StreamKind::kPipe && bytes.size() > PIPE_BUF ? open_nonblocking(descriptor) : Fd();
  const int to = own.is_open() ? own.get() : descriptor;
  const bool may_sleep = kind != StreamKind::kNeverFull && !own.is_open();
  while (!bytes.empty()) {
    if (may_sleep && !wait_for_room(to)) return ECANCELED;
    const std::string_view piece = kind == StreamKind::kNeverFull ? bytes : next_piece(bytes);
    const ssize_t written = ::write(to, piece.data(), piece.size());
    if (written > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (written < 0 && errno == EAGAIN) {
      if (!wait_for_room(to)) return ECANCELED;
    } else if (written < 0 && errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

}  // namespace airlock::os
