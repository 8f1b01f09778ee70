#include "os/random.h"

#include <sys/random.h>

namespace airlock::os {

std::string random_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  std::size_t have = 0;
  while (have < count) {
    // Flags 0: waits until the kernel has gathered randomness, once after boot. A signal can cut it
    // short, hence the loop.
    const ssize_t got = ::getrandom(bytes.data() + have, count - have, 0);
    if (got > 0) have += static_cast<std::size_t>(got);
  }
  return bytes;
}

}  // namespace airlock::os
