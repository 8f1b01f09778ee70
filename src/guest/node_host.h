// airlock-host as node host: runs code nodes that are trusted, with native objects that stay from
// node to node. There are no walls here; see docs/decisions/0011-code-nodes.md.
#pragma once

#include "base/fd.h"

namespace airlock::guest {

// Answers on `socket` until its other end is closed. The exit code of the process.
int run_node_host(Fd socket);

}  // namespace airlock::guest
