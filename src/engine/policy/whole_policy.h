// A built-in policy as its file says it (policies/*.toml): every list whole, with a reason for each
// entry. The program that writes the tables of builtin_policies() reads with this when Airlock is
// built; nothing else does but its test, so starting Airlock parses nothing.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/policy.h"

namespace airlock {

// Every mistake at once: unknown keys, entries without a reason, names listed twice, names both
// allowed and refused, classes and packages that no listed module has. `file` is for messages, and
// must be called after the policy.
Result<Policy> parse_whole_policy(std::string_view toml, std::string_view file);

}  // namespace airlock
