// A node of type `extractor`: paths in, rows out, in the chamber. `extractor` names a file or
// `code` holds the text; `paths` is a list, or a template that gives one. The result is a list of
// rows as `airlock extract` writes them.
//
// For thousands of paths, not millions: rows are kept in memory. The code is a guest's: judged
// first, run in a cell (engine/validate/sample_runner.h).
#pragma once

#include <string>

#include "base/result.h"
#include "flow/document.h"
#include "flow/native_nodes.h"
#include "flow/step.h"

namespace airlock::flow {

// An Error: this host cannot give the isolation.
Result<Step> run_extractor_node(const Node& node, NativeNodes& store,
                                const std::string& host_program);

// What keeps the node from being run, as a message; empty: nothing that can be said before.
Result<std::string> check_extractor_node(const Node& node, const std::string& host_program);

}  // namespace airlock::flow
