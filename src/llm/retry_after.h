// The header Retry-After: a number of seconds, or a date. It comes from a server that is not
// trusted, so it is bounded: nobody can make us wait for a year. Pure; the caller brings the time.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace airlock::llm {

inline constexpr std::chrono::seconds kLongestWait{3600};

// Between 0 and kLongestWait; nothing when it is neither. `now`: seconds since 1970.
std::optional<std::chrono::seconds> parse_retry_after(std::string_view text, std::int64_t now);

}  // namespace airlock::llm
