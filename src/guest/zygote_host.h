// airlock-host in the zygote role: a warm interpreter that forks cells and never runs guest code.
//
// Its peer is the supervisor, over the socket that it was started with. It answers two requests:
// fork a cell, and say how a cell ended. It is killed when the supervisor's thread that started it
// ends; every cell is killed when it ends. Only policies come to it, never code.
#pragma once

#include "base/fd.h"
#include "model/guest_outcome.h"

namespace airlock::guest {

// Loads everything a cell will need, leaves the host, then forks a cell for each request until the
// socket closes.
int run_zygote(Fd socket, HashOrder order);

}  // namespace airlock::guest
