// Times as text, in UTC: the same on every host, whatever its time zone or locale. The argument is
// milliseconds since 1970. A value outside of the years 1970 to 9999 (a database that was tampered
// with) is shown as its number, never refused.
#pragma once

#include <cstdint>
#include <string>

namespace airlock {

std::string utc_for_people(std::int64_t milliseconds);    // 2026-11-15 09:46:40
std::string utc_for_programs(std::int64_t milliseconds);  // 2026-11-15T09:46:40.123Z
std::string utc_minute(std::int64_t milliseconds);        // 2026-11-15 09:46 UTC

}  // namespace airlock
