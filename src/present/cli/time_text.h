// Times as they are told, in UTC, the same on every host. A time that no calendar has (a file that
// was tampered with) is shown as its number.
#pragma once

#include <cstdint>
#include <string>

namespace airlock::cli {

// "2025-01-31 09:30:00"; `milliseconds` since 1970.
std::string time_for_people(std::int64_t milliseconds);
// "2025-01-31T09:30:00.125Z"
std::string time_for_programs(std::int64_t milliseconds);

}  // namespace airlock::cli
