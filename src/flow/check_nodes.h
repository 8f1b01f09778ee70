// Everything that can be said of a flow's nodes without running them: syntax, declarations, literal
// inputs, and types that cannot fit between one node and the next. No node host is started for it:
// code is read in a cell, extractors by the vetter, so a flow can be checked that nobody would run.
//
// For `airlock run --check`; a run does without. Messages are for the document's author.
#pragma once

#include <vector>

#include "base/result.h"
#include "flow/document.h"

namespace airlock::flow {

// An Error: this host cannot give the isolation that reading needs.
Result<std::vector<FlowProblem>> check_nodes(const Flow& flow, const std::string& host_program);

}  // namespace airlock::flow
