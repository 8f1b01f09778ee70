// The words of a question that a person asks on the command line (`airlock ai ask`). Bounded before
// it is sent: a file given by mistake should cost a message, not a bill.
#pragma once

#include <string>

#include "base/result.h"

namespace airlock::llm {

// `word` itself, or standard input for "-". Refused: nothing, more than 256 KiB.
Result<std::string> read_prompt(const std::string& word);

}  // namespace airlock::llm
