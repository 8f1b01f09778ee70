// SIGINT and SIGTERM as a question to ask between two steps, for work that ends in good order. The
// second signal ends the program at once.
#pragma once

#include <optional>

namespace airlock::os {

// From now on, for the whole program.
void note_interrupts();

// The signal that came first.
std::optional<int> pending_interrupt();

}  // namespace airlock::os
