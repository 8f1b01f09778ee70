// Runs a flow from its first node to its last.
//
// For each step: the schedule chooses a node (schedule.h); its templates are resolved against the
// shared store; it runs; its result goes into the store; its action selects the edges to follow.
// Where a node runs depends on its type:
//   - code without "sandbox": in a node host, with this user's rights (native_nodes.h); trusted.
//   - code with "sandbox": in a cell (sandboxed_node.h).
//   - extractor, probe: in cells, through engine/ and probe/.
// The node host also holds the store, because it can keep Python objects that JSON cannot express.
// Templates are resolved there.
//
// Nodes run one at a time, on the calling thread; so do all callbacks. A node that fails, hangs or
// kills its host is a Step with the action "error"; the flow goes on along that action's edges.
// Only isolation that is missing, a signal, or our own failure ends the flow without a report.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "flow/document.h"
#include "flow/step.h"
#include "model/user_dirs.h"

namespace airlock::flow {

struct RunRequest {
  std::string host_program;
  UserDirs user_dirs;            // of the store that probe nodes use
  Json shared = Json::object();  // the store to begin with
  std::vector<Step> kept;        // of the run that is resumed, in order: these are not run again
  // When what runs the nodes is being started, and there is time for something else; before a node
  // runs; and after each step (also those that were kept).
  std::function<void()> on_start = [] {};
  std::function<void(const Node&)> on_begin = [](const Node&) {};
  std::function<void(const Step&)> on_step = [](const Step&) {};
};

// `action` is what the flow as a whole ended with; "error" if any branch did.
struct FlowReport {
  std::string action = "default";
  std::string error;        // of the flow itself, not of a node
  std::vector<Step> trace;  // every step, in order
  std::vector<FlowProblem> warnings;
};

// The problems that keep a flow from being run.
using FlowProblems = std::vector<FlowProblem>;

// How many of its nodes run with the rights of whoever starts airlock: code without "sandbox".
std::size_t count_trusted(const Flow& flow);
// All of its code behind the walls, whatever the document says.
void sandbox_all(Flow& flow);

// The flow must have no problem that check_templates() calls an error. An Error: it was not run to
// its end and no node is to blame, or os::pending_interrupt() says who stopped it.
Result<FlowReport> run_flow(const Flow& flow, const RunRequest& request);

}  // namespace airlock::flow
