// The walls around the vetter: the process that runs CPython's parser over hostile text. It
// executes none of that text, but the parser is C code that may have bugs, so it gets nothing but
// memory and its one socket. Every system call outside the list kills the process (a few file calls
// of the parser are answered with EACCES).
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace airlock::jail {

// Raises every wall, in order, for this process and for good. The first step that fails ends it:
// there is no warning and going on. Returns the names of the walls that stand. Call it with one
// thread, after everything is loaded.
Result<std::vector<std::string>> lock_down_vetter();

// The names of all the steps, in order, for documentation and tests.
std::vector<std::string> vetter_walls();

}  // namespace airlock::jail
