// What airlock needs before there can be a question of walls: /proc, /dev/null, and airlock-host
// where it belongs. When one of them is missing the kernel is not to blame, and nobody should go
// looking there.
#pragma once

#include <optional>
#include <string>

namespace airlock {

// What is missing and what to do about it, or nothing. Worth asking when a start has failed: it may
// start `host_program` for a moment.
std::optional<std::string> installation_trouble(const std::string& host_program);

}  // namespace airlock
