// A program of the user's own (an editor) on the user's terminal: with our streams, environment and
// process group, as a shell would start it.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "os/process.h"

namespace airlock::os {

// `words`: the program, looked for in PATH, and its arguments. Waits for its end; what Ctrl-C
// sends is for the program meanwhile. An Error: it could not be started.
Result<ExitStatus> run_on_terminal(const std::vector<std::string>& words);

// Starts it and forgets it: in a session of its own, without our streams. It may outlive us.
Result<void> start_detached(const std::vector<std::string>& words);

// Whether PATH, or the name itself when it has a slash, leads to a program.
bool is_program(const std::string& name);

}  // namespace airlock::os
