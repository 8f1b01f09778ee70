// The tools of Airlock, in the order in which clients are told of them. Each is a request of
// present/serve (docs/protocol.md): arguments are its members, and its answer is the structured
// result. Approving is not among them: that is for a person.
#pragma once

#include <span>

#include "present/mcp/tool.h"

namespace airlock::mcp {

std::span<const Tool> airlock_tools();

}  // namespace airlock::mcp
