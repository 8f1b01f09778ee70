// How the program ends: the contract's exit codes, and the one place where an Error becomes one of
// them. Commands return a code or an Error; only run_program() (program.cc) and a command that has
// more to say after the error call end_with().
#pragma once

#include <string>

#include "base/result.h"

namespace airlock::cli {

// The same for every command.
enum ExitCode : int {
  kAccepted = 0,
  kRefused = 1,
  kBadRequest = 2,
  kNoIsolation = 3,
  kOurBug = 70,
  kInterrupted = 130,
};

// Says the error on stderr, with what to do about it where that is known. The exit code.
// A limit of this host (open files, processes, memory) or a part of airlock that is not where it
// belongs is told as such, whatever was being done when it was met.
int end_with(const Error& error, const std::string& host_program);

}  // namespace airlock::cli
