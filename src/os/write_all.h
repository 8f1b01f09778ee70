// Writing to a stream whose reader may be slow, or asleep: a pipe, a terminal.
// Used for what goes to standard output, and for files, which are never full in this sense.
#pragma once

#include <string_view>

namespace airlock::os {

// All of it. An errno, 0 for success; ECANCELED when a signal that is noted (os/interrupts.h) has
// come, before or meanwhile, and the reader takes nothing: a program that was told to stop does not
// wait for it. Lines of at most PIPE_BUF bytes are never torn by that when it is a pipe.
int write_all(int descriptor, std::string_view bytes);

}  // namespace airlock::os
