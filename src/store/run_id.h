// Names of runs and of questions to models: 26 characters, the first ten the time, the rest random
// (80 bits), in Crockford's base 32 (no i, l, o, u, which are easily misread). Sorting the names
// sorts the runs by their beginning, to the millisecond. The form is that of a ULID, in lower case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace airlock::store {

constexpr std::size_t kIdBytes = 16;  // of randomness, for one name

// `random`: at least kIdBytes bytes that nobody can foresee.
std::string run_id(std::int64_t now_ms, std::string_view random);

}  // namespace airlock::store
