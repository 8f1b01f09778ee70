// JSON values → a flow, or everything that is wrong with its shape. A document with "nodes" is a
// flow, one with "type" is a single node.
#pragma once

#include <expected>
#include <vector>

#include "flow/document.h"

namespace airlock::flow {

std::expected<Flow, std::vector<FlowProblem>> make_flow(const Json& document);

}  // namespace airlock::flow
