// Whether two programs speak the same language. Installing is copying two files, and one of them
// may be left over from another build: airlock names its own identity when it starts airlock-host,
// which knows what its own is.
#pragma once

#include <string_view>

namespace airlock::wire {

// The same in programs that were built from the same messages; made by tools/identify_wire.py.
std::string_view identity();

}  // namespace airlock::wire
