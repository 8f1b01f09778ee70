// What the templates of a flow say about each other, before anything runs: names that nobody has,
// nodes that cannot have run, circles. From the document and the store alone; nothing is evaluated.
// Pure.
#pragma once

#include <vector>

#include "flow/document.h"

namespace airlock::flow {

// `shared`: the store to begin with, an object. A name that is in it can always be looked up.
std::vector<FlowProblem> check_templates(const Flow& flow, const Json& shared);

}  // namespace airlock::flow
