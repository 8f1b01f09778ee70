// Standard output and standard error, for those who may not look at the system themselves.
#pragma once

#include <string_view>

namespace airlock {

// All of it, as os/write_all.h has it: an errno, 0 for success, ECANCELED when we were told to stop
// and the reader takes nothing.
int write_stream(int descriptor, std::string_view bytes);

}  // namespace airlock
