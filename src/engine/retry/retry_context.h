// What the next prompt tells the model: one form for each stage, at most a few kilobytes. It holds
// what the model has already (its code, paths that were sent) and our own words: of an exception
// the type, the line and its source, and a message as far as it is the interpreter's own
// (engine/retry/interpreter_messages.h). What the program printed or returned is in no form of it.
// Text that comes from the code or its errors stands on one line of its own, escaped, so that it
// cannot look like ours.
#pragma once

#include <cstddef>
#include <string>

#include "model/validation.h"

namespace airlock {

inline constexpr std::size_t kMaxRetryContext = 8 * 1024;

// For a Validation that is not valid. Pure.
std::string retry_context(const Validation& validation);

}  // namespace airlock
