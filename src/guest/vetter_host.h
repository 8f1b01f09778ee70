// airlock-host in the vetter role: parses and judges what comes over its socket, and runs nothing.
#pragma once

#include "base/fd.h"

namespace airlock::guest {

// Starts the interpreter, locks the process down, then answers until the socket closes. Returns the
// exit code.
int run_vetter(Fd socket);

}  // namespace airlock::guest
