// A node of type `probe`: probes of a repository, through the trust boundary.
#pragma once

#include "base/result.h"
#include "flow/document.h"
#include "flow/step.h"

namespace airlock::flow {

Result<Step> run_probe_node(const Node& node);

}  // namespace airlock::flow
