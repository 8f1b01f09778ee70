// Names of runs: 26 characters, the first ten the time, the rest chance (80 bits), in Crockford's
// base 32 (no i, l, o, u). Sorting the names sorts the runs by their beginning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace airlock::store {

constexpr std::size_t kIdBytes = 16;  // of chance, for one name

// `chance`: at least kIdBytes bytes that nobody can foresee.
std::string run_id(std::int64_t now_ms, std::string_view chance);

}  // namespace airlock::store
