// What a retry prompt tells the model about code that failed; one form for each stage, at most
// kMaxRetryContext bytes.
//
// This text leaves the machine, so it is built from an allowlist: the model's own code, paths that
// were already sent, our own words, and of an exception its type, its line and a message only as
// far as the interpreter itself wrote it (interpreter_messages.h). What the program printed or
// returned is never included. Text from the code or its errors stands on a line of its own,
// escaped, so that it cannot be mistaken for our instructions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "model/validation.h"

namespace airlock {

// Bytes: a prompt has to leave room for the code and the answer.
inline constexpr std::size_t kMaxRetryContext = 8 * 1024;

// The words that the text about a stage begins with.
std::string_view stage_header(Stage stage);

// For a Validation that is not valid. Pure.
std::string retry_context(const Validation& validation);

}  // namespace airlock
