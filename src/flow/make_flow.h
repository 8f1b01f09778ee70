// JSON values → a flow, or everything that is wrong with its shape. A document with "nodes" is a
// flow, one with "type" is a single node. What templates and code mean is checked later
// (check_templates.h, check_nodes.h). Strict: a key that nobody knows is a mistake. Pure.
#pragma once

#include <expected>
#include <vector>

#include "flow/document.h"

namespace airlock::flow {

std::expected<Flow, std::vector<FlowProblem>> make_flow(const Json& document);

}  // namespace airlock::flow
