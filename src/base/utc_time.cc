#include "base/utc_time.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

namespace airlock {

namespace {

std::string time_text(std::int64_t milliseconds, std::string_view form) {
  const std::time_t seconds = milliseconds / 1000;
  std::tm parts{};
  // tm_year counts from 1900: 8099 is the year 9999, the last with four digits.
  if (milliseconds < 0 || ::gmtime_r(&seconds, &parts) == nullptr || parts.tm_year > 8099)
    return std::to_string(milliseconds);
  return fmt::format(fmt::runtime(form), parts);
}

}  // namespace

std::string utc_for_people(std::int64_t milliseconds) {
  return time_text(milliseconds, "{:%Y-%m-%d %H:%M:%S}");
}

std::string utc_for_programs(std::int64_t milliseconds) {
  return time_text(milliseconds, "{:%Y-%m-%dT%H:%M:%S}") +
         fmt::format(".{:03}Z", std::max<std::int64_t>(milliseconds, 0) % 1000);
}

std::string utc_minute(std::int64_t milliseconds) {
  return time_text(milliseconds, "{:%Y-%m-%d %H:%M} UTC");
}

}  // namespace airlock
