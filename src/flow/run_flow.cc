#include "flow/run_flow.h"

#include <algorithm>
#include <chrono>

#include "flow/check_templates.h"
#include "flow/extractor_node.h"
#include "flow/native_nodes.h"
#include "flow/probe_node.h"
#include "flow/sandboxed_node.h"
#include "flow/schedule.h"
#include "os/interrupts.h"

namespace airlock::flow {

namespace {

bool is_sandboxed(const Node& node) {
  return node.params.contains("sandbox") && node.params["sandbox"] == true;
}

std::string actions_json(const Flow& flow, std::size_t node) {
  const auto actions = own_actions(flow, node);
  return actions.empty() ? std::string() : Json(actions).dump();
}

class Runner {
 public:
  Runner(const Flow& flow, const RunRequest& request)
      : flow_(flow),
        request_(request),
        schedule_(flow),
        native_(request.host_program,
                request.shared.dump(-1, ' ', false, Json::error_handler_t::replace)),
        sandbox_(request.host_program) {}

  Result<FlowReport> run() {
    TRY(native_.warm_up());
    while (const auto next = schedule_.next()) {
      if (report_.trace.size() >= flow_.max_steps) return stop_at_limit();
      auto step = take_or_run(*next);
      if (!step) return std::unexpected(std::move(step).error());
      if (os::pending_interrupt()) return fail("interrupted");
      request_.on_step(*step);
      settle(*next, *step);
      report_.trace.push_back(std::move(*step));
    }
    return std::move(report_);
  }

 private:
  // What happens when a node has ended: its edges, or the end of its branch.
  void settle(std::size_t node, const Step& step) {
    if (schedule_.go_on(node, step.action)) return;
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
    if (report_.trace.size() < request_.kept.size()) {
      Step kept = request_.kept[report_.trace.size()];
      kept.was_kept = true;
      TRY(native_.put(kept.id, entry_json(kept)));
      return kept;
    }
    request_.on_begin(flow_.nodes[node]);
    const auto start = std::chrono::steady_clock::now();
    auto step = run_node(node);
    if (step)
      step->milliseconds =
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
              .count();
    return step;
  }

  Result<Step> run_node(std::size_t place) {
    const Node& node = flow_.nodes[place];
    if (node.type == NodeType::kCode && !is_sandboxed(node))
      return native_.run(node, actions_json(flow_, place), after_failure(place));
    auto step = run_elsewhere(node, place);
    if (step && !node.id.empty()) TRY(native_.put(node.id, entry_json(*step)));
    return step;
  }

  Result<Step> run_elsewhere(const Node& node, std::size_t place) {
    switch (node.type) {
      case NodeType::kExtractor:
        return run_extractor_node(node, native_, request_.host_program);
      case NodeType::kProbe:
        return run_probe_node(node);
      case NodeType::kCode:
        break;
    }
    return sandbox_.run(node, native_, actions_json(flow_, place));
  }

  AfterFailure after_failure(std::size_t place) const {
    const bool has_edge = std::ranges::any_of(flow_.edges, [&](const Edge& edge) {
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
};

}  // namespace

Problems check_flow(const Flow& flow, const Json& shared) {
  // A node that stands alone says itself what it cannot find.
  return flow.is_single_node ? Problems() : check_templates(flow, shared);
}

void heed_signals() {
  os::note_interrupts();
}

std::optional<int> stopping_signal() {
  return os::pending_interrupt();
}

Result<FlowReport> run_flow(const Flow& flow, const RunRequest& request) {
  return Runner(flow, request).run();
}

}  // namespace airlock::flow
