// The three roles of airlock-host; mains/airlock_host.cc picks one by its argument. Each function
// takes the socket that the process was started with, serves its peer (the supervisor) until that
// socket closes, and returns the exit code of the process.
#pragma once

#include "base/fd.h"
#include "model/guest_outcome.h"

namespace airlock::guest {

// airlock-host in the zygote role: a warm interpreter that forks cells and never runs guest code.
//
// Its peer is the supervisor, over the socket that it was started with. It answers two requests:
// fork a cell, and say how a cell ended. It is killed when the supervisor's thread that started it
// ends; every cell is killed when it ends. Only policies come to it, never code.
//
// Loads everything a cell will need, leaves the host, then forks a cell for each request until the
// socket closes.
int run_zygote(Fd socket, HashOrder order, CellCount cells);

// airlock-host in the vetter role: parses and judges the text that comes over its socket, and
// executes none of it. The text is hostile; the process has been locked down before it reads the
// first byte (jail/vetter_jail.h). One thread; one request at a time. A text that crashes or hangs
// it costs the supervisor one vetter and that text one finding (AL110).
//
// Starts the interpreter, locks the process down, then answers until the socket closes. Returns the
// exit code.
int run_vetter(Fd socket);

// airlock-host as node host: runs code nodes that the user trusts, one after the other, in one
// interpreter, so that objects stay alive from node to node. There are no walls here, on purpose
// (docs/decisions/0011-code-nodes.md): the user's environment, files and packages are all there.
//
// The supervisor holds what must survive it: the clock, what a node has printed, and a checkpoint
// (a sleeping fork) to continue from when a node had to be killed.
//
// Answers on `socket` until its other end is closed. The exit code of the process.
int run_node_host(Fd socket);

}  // namespace airlock::guest
