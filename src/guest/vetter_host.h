// airlock-host in the vetter role: parses and judges the text that comes over its socket, and
// executes none of it. The text is hostile; the process has been locked down before it reads the
// first byte (jail/vetter_jail.h). One thread; one request at a time. A text that crashes or hangs
// it costs the supervisor one vetter and that text one finding (AL110).
#pragma once

#include "base/fd.h"

namespace airlock::guest {

// Starts the interpreter, locks the process down, then answers until the socket closes. Returns the
// exit code.
int run_vetter(Fd socket);

}  // namespace airlock::guest
