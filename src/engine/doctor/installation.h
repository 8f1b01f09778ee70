// What airlock needs before there can be a question of walls: /proc, /dev/null, and airlock-host
// where it belongs. When one of them is missing the kernel is not to blame, and nobody should go
// looking there. Asked by doctor and by commands whose chamber does not start.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace airlock {

// What is missing and what to do about it, or nothing. Worth asking when a start has failed: it may
// start `host_program` for a moment.
std::optional<std::string> installation_trouble(const std::string& host_program);

// Which limits of this process (ulimit) are lower than airlock needs, and what to do about it;
// nothing when none is. To be asked before anything else is blamed: a low limit may be the cause of
// `error`.
std::optional<std::string> limits_trouble(std::string_view error);

}  // namespace airlock
