// Times as text, in UTC: the same on every host. Milliseconds since 1970; one that no calendar has
// (a file that was tampered with) is shown as its number.
#pragma once

#include <cstdint>
#include <string>

namespace airlock {

std::string utc_for_people(std::int64_t milliseconds);    // 2026-11-15 09:46:40
std::string utc_for_programs(std::int64_t milliseconds);  // 2026-11-15T09:46:40.123Z
std::string utc_minute(std::int64_t milliseconds);        // 2026-11-15 09:46 UTC

}  // namespace airlock
