// What the kernel knows of a process that is not our child: whether it has been stopped by a
// signal, how many threads it has, and how much processor time it has used.
#pragma once

#include <time.h>

#include <chrono>
#include <cstdint>
#include <optional>

namespace airlock::os {

// Looks at the process behind the pidfd until all its threads are stopped, or it is gone (false),
// or the time is up (false).
bool is_stopped_within(int pidfd, std::chrono::milliseconds time);

// Its number in our own namespace; -1 when it is gone. It stays its own until somebody reaps it.
long process_number(int pidfd);

// A signal with a number to one thread of a process (process_number). False: it is gone.
bool queue_signal(long process, std::int32_t thread, int signal, int number);

// How many threads it has; 0 when it is gone.
std::uint32_t thread_count(int pidfd);

// The processor time of the process behind the pidfd, for processor_time(). Nothing: it is gone, or
// its number cannot be had here.
std::optional<clockid_t> processor_clock(int pidfd);
// All its threads together; zero when it is gone.
std::chrono::nanoseconds processor_time(clockid_t clock);

}  // namespace airlock::os
