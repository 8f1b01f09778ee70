// Sizes for people: "0 B", "999 B", "1.5 KiB", "1.0 GiB". Steps of 1024; one digit behind the
// point, and never "1024.0" of a unit.
#pragma once

#include <cstdint>
#include <string>

namespace airlock::cli {

std::string size_text(std::int64_t bytes);

}  // namespace airlock::cli
