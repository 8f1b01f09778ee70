// Everything that can be said of a flow's nodes without running them: syntax, declarations, literal
// inputs, and types that cannot fit between one node and the next.
#pragma once

#include <vector>

#include "base/result.h"
#include "flow/document.h"

namespace airlock::flow {

// An Error is our own trouble.
Result<std::vector<Problem>> check_nodes(const Flow& flow, const std::string& host_program);

}  // namespace airlock::flow
