// A folder as it is seen from inside a private root: one of the host's (read-only), or an empty one
// in memory (writable). A plain value that travels from the policy to os/namespaces.h, which mounts
// it, and to os/landlock.h, which allows access to it; both must get the same list.
#pragma once

#include <cstdint>
#include <string>

namespace airlock::os {

struct MountedFolder {
  std::string place;               // absolute, inside
  std::string source;              // absolute, on the host, to read; empty: in memory, to write
  bool may_hold_code = false;      // files in it can be mapped as code
  std::uint32_t memory_bytes = 0;  // how much one in memory may hold

  bool is_writable() const { return source.empty(); }
};

}  // namespace airlock::os
