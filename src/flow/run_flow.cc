#include "flow/run_flow.h"

#include <algorithm>
#include <chrono>

#include "flow/check_templates.h"
#include "flow/extractor_node.h"
#include "flow/native_nodes.h"
#include "flow/probe_node.h"
#include "flow/sandboxed_node.h"
#include "flow/schedule.h"
#include "flow/value_text.h"
#include "os/interrupts.h"

namespace airlock::flow {

namespace {

bool is_native(const Node& node) {
  return node.type == NodeType::kCode && !is_sandboxed(node);
}

std::string actions_json(const Flow& flow, std::size_t node) {
  const auto actions = own_actions(flow, node);
  return actions.empty() ? std::string() : Json(actions).dump();
}

// One run of one flow. The store lives in `native_`, which is started only if a node needs it.
class Runner {
 public:
  Runner(const Flow& flow, const RunRequest& request)
      : flow_(flow),
        request_(request),
        schedule_(flow),
        native_(request.host_program, json_text(request.shared)),
        sandbox_(request.host_program) {}

  Result<FlowReport> run() {
    // The host starts while the caller's on_start does its work.
    if (std::ranges::any_of(flow_.nodes, is_native)) TRY(native_.warm_up());
    request_.on_start();
    while (const auto next = schedule_.next()) {
      if (report_.trace.size() >= flow_.max_steps) return stop_at_limit();
      auto step = TRY(take_or_run(*next));
      if (os::pending_interrupt()) return fail("stopped");
      request_.on_step(step);
      follow_edges(*next, step);
      report_.trace.push_back(std::move(step));
    }
    return std::move(report_);
  }

 private:
  // What happens when a node has ended: its edges, or the end of its branch.
  void follow_edges(std::size_t node, const Step& step) {
    if (schedule_.follow_action(node, step.action)) return;
    // The flow's own action is that of its last branch to end, unless one has failed.
    if (report_.action != "error") report_.action = step.action;
  }

  FlowReport stop_at_limit() {
    report_.action = "error";
    report_.error = message(
        "The flow was stopped after " + std::to_string(flow_.max_steps) + " steps",
        "Its edges lead in a circle that does not end.",
        {"Let a node choose its way out: action: str = \"done\", and an edge for that action",
         "Or allow more: \"max_steps\": " + std::to_string(flow_.max_steps * 10)});
    return std::move(report_);
  }

  Result<Step> take_or_run(std::size_t node) {
    // Kept steps are used from the first on, as long as the flow takes the same path as before.
    const std::size_t number = report_.trace.size();
    if (number < request_.kept.size() && number == kept_ &&
        request_.kept[number].id == flow_.nodes[node].id) {
      ++kept_;
      Step kept = request_.kept[number];
      kept.was_kept = true;
      TRY(native_.put(kept.id, entry_json(kept)));
      return kept;
    }
    if (is_native(flow_.nodes[node])) TRY(native_.await_ready());  // not on the node's time
    request_.on_begin(flow_.nodes[node]);
    const auto start = std::chrono::steady_clock::now();
    auto step = TRY(run_node(node));
    step.milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return step;
  }

  Result<Step> run_node(std::size_t place) {
    const Node& node = flow_.nodes[place];
    if (is_native(node)) return native_.run(node, actions_json(flow_, place), after_failure(place));
    auto step = TRY(run_elsewhere(node, place));
    if (!node.id.empty()) TRY(native_.put(node.id, entry_json(step)));
    return step;
  }

  Result<Step> run_elsewhere(const Node& node, std::size_t place) {
    switch (node.type) {
      case NodeType::kExtractor:
        return run_extractor_node(node, native_, request_.host_program);
      case NodeType::kProbe:
        return run_probe_node(node, native_, request_.host_program, request_.user_dirs);
      case NodeType::kCode:
        break;
    }
    return sandbox_.run(node, native_, actions_json(flow_, place));
  }

  // Only if something can still run afterwards is a checkpoint worth its fork.
  AfterFailure after_failure(std::size_t place) const {
    const bool has_edge = std::ranges::any_of(flow_.edges, [&](const FlowEdge& edge) {
      return edge.from == place && edge.action == "error";
    });
    return has_edge || schedule_.has_waiting() ? AfterFailure::kGoesOn : AfterFailure::kEnd;
  }

  const Flow& flow_;
  const RunRequest& request_;
  Schedule schedule_;
  NativeNodes native_;
  SandboxedNodes sandbox_;
  FlowReport report_;
  std::size_t kept_ = 0;
};

}  // namespace

std::size_t count_trusted(const Flow& flow) {
  return static_cast<std::size_t>(std::ranges::count_if(flow.nodes, is_native));
}

void sandbox_all(Flow& flow) {
  for (Node& node : flow.nodes) {
    if (node.type == NodeType::kCode) node.params["sandbox"] = true;
  }
}

Result<FlowReport> run_flow(const Flow& flow, const RunRequest& request) {
  return Runner(flow, request).run();
}

}  // namespace airlock::flow
