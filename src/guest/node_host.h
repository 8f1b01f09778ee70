// airlock-host as node host: runs code nodes that the user trusts, one after the other, in one
// interpreter, so that objects stay alive from node to node. There are no walls here, on purpose
// (docs/decisions/0011-code-nodes.md): the user's environment, files and packages are all there.
//
// What the supervisor keeps out of its reach: the clock, what a node has printed, and a checkpoint
// (a sleeping fork) to continue from when a node had to be killed.
#pragma once

#include "base/fd.h"

namespace airlock::guest {

// Answers on `socket` until its other end is closed. The exit code of the process.
int run_node_host(Fd socket);

}  // namespace airlock::guest
