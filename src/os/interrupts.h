// SIGINT and SIGTERM as a question to ask between two steps, for work that ends in good order. The
// second signal ends the program at once.
#pragma once

#include <chrono>
#include <optional>

namespace airlock::os {

// From now on, for the whole program.
void note_interrupts();

// Waits for so long, or until a signal comes: false then.
bool rest(std::chrono::milliseconds time);

// The signal that came first.
std::optional<int> pending_interrupt();

}  // namespace airlock::os
