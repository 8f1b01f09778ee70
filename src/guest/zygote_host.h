// airlock-host in the zygote role: a warm interpreter that forks cells and runs nothing itself.
#pragma once

#include "base/fd.h"
#include "model/guest_outcome.h"

namespace airlock::guest {

// Loads everything a cell will need, leaves the host, then forks a cell for each request until the
// socket closes.
int run_zygote(Fd socket, HashOrder order);

}  // namespace airlock::guest
