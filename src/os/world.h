// Namespaces: leaving the host's users, network, processes, mounts and names behind, once, for this
// process and all that it will start.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace airlock::os {

// Which of them this process could leave. What the kernel or its configuration does not offer is
// missing from the list; anything half done is an Error.
struct World {
  bool own_users = false;
  bool own_network = false;
  bool own_ipc = false;
  bool own_names = false;   // host name (uts)
  bool empty_root = false;  // own mounts, and the root is an empty read-only tmpfs
};

// Needs one thread. Files opened before stay open; nothing can be opened by name afterwards when
// `empty_root`.
Result<World> leave_the_host();

}  // namespace airlock::os
