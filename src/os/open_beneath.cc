#include "os/open_beneath.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace airlock::os {

namespace {

// O_NONBLOCK: opening a pipe does not wait for a writer. O_NOCTTY: no terminal becomes ours.
constexpr int kReading = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW;

// For kernels and containers that do not offer openat2: one part after the other.
Fd open_part_by_part(const Fd& folder, const std::string& name) {
  Fd above;
  for (std::size_t from = 0;;) {
    const std::size_t slash = name.find('/', from);
    const std::string part = name.substr(from, slash - from);
    const int at = above.is_open() ? above.get() : folder.get();
    // EXDEV is what openat2 says of a way that leads out. An empty part is a leading or double
    // slash.
    if (part.empty() || part == "..") {
      errno = EXDEV;
      return Fd();
    }
    // O_NOFOLLOW speaks of the last part of a path only; each call here has one part, so of all.
    if (slash == std::string::npos) return Fd(::openat(at, part.c_str(), kReading));
    above = Fd(::openat(at, part.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!above.is_open()) return Fd();
    from = slash + 1;
  }
}

Fd open_held(const Fd& folder, const std::string& name, int flags, std::uint64_t how_far) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags);
  how.resolve = how_far;
  return Fd(static_cast<int>(::syscall(SYS_openat2, folder.get(), name.c_str(), &how, sizeof how)));
}

}  // namespace

Fd open_beneath_with_links(const Fd& folder, const std::string& name) {
  return open_held(folder, name, kReading & ~O_NOFOLLOW, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS);
}

Fd open_beneath(const Fd& folder, const std::string& name) {
  Fd file = open_held(folder, name, kReading,
                      RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
  // ENOSYS: a kernel before 5.6. EPERM: a container's filter that does not know the call.
  if (file.is_open() || (errno != ENOSYS && errno != EPERM)) return file;
  return open_part_by_part(folder, name);
}

}  // namespace airlock::os
