// How long a client may keep a result, and whether it may show it to others: `ttlMs` and
// `cacheScope` from 2026-07-28 on.
#pragma once

#include <cstdint>

namespace airlock::mcp {

struct Freshness {
  std::uint32_t milliseconds = 0;
  bool is_public = false;
};

// What only another build of the program changes.
inline constexpr Freshness kFixed{.milliseconds = 3'600'000, .is_public = true};
// What is as long as this server runs, and its own.
inline constexpr Freshness kOfServer{.milliseconds = 3'600'000, .is_public = false};
// What can be different the next time.
inline constexpr Freshness kOfMoment{.milliseconds = 0, .is_public = false};

}  // namespace airlock::mcp
