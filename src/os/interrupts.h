// SIGINT, SIGTERM and SIGHUP (a terminal that was closed) as a question to ask between two steps,
// for work that ends in good order. The second signal ends the program at once.
// There is one such state for the whole process; any thread may ask.
#pragma once

#include <chrono>
#include <optional>

namespace airlock::os {

// From now on, for the whole program.
void note_interrupts();

// The same, and waiting for a process (os/channel.h) ends too, as if its time were up. For those
// who then ask whether they were told to stop, and take nothing that came of it.
void note_interrupts_and_end_waits();
// Whether such a signal has come.
bool must_end_waits();
// Whether it was asked for at all: only then do waits have to wake up now and then.
bool may_have_to_end_waits();

// Waits for so long, or until a signal comes: false then.
bool sleep_unless_interrupted(std::chrono::milliseconds time);

// Waits until there is something to read, or its end, or until a signal comes: false then. A
// question to a person is asked this way: read() alone would miss a signal that came just before
// it.
bool wait_to_read_unless_interrupted(int file);

// The signal that came first.
std::optional<int> pending_interrupt();

}  // namespace airlock::os
