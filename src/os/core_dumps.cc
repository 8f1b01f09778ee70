#include "os/core_dumps.h"

#include <sys/resource.h>

#include <algorithm>

namespace airlock::os {

// The kernel ignores a limit of 0 when a collector reads cores from a pipe, and obeys 1: it is less
// than any core, and its word for "none at all".
void forbid_core_dumps() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_CORE, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(1, limit.rlim_max);
  ::setrlimit(RLIMIT_CORE, &limit);
}

}  // namespace airlock::os
