#include "flow/schedule.h"

#include <algorithm>

namespace airlock::flow {

Schedule::Schedule(const Flow& flow) : flow_(&flow), reach_(flow), waiting_{flow.start} {}

// Another branch that is still under way leads here, and does not itself wait for this node.
bool Schedule::must_wait(std::size_t node) {
  return std::ranges::any_of(waiting_, [&](std::size_t other) {
    return other != node && reach_.leads(other, node) && !reach_.leads(node, other);
  });
}

std::optional<std::size_t> Schedule::next() {
  if (waiting_.empty()) return std::nullopt;
  auto found = waiting_.begin();
  if (waiting_.size() > 1)
    found = std::ranges::find_if(waiting_, [&](std::size_t node) { return !must_wait(node); });
  // All of them wait for each other (a cycle): then the first goes, so that the flow cannot stand
  // still.
  if (found == waiting_.end()) found = waiting_.begin();
  const std::size_t node = *found;
  waiting_.erase(found);
  return node;
}

bool Schedule::follow_action(std::size_t node, std::string_view action) {
  std::vector<std::size_t> targets;
  bool has_edge = false;
  for (const FlowEdge& edge : flow_->edges) {
    if (edge.from != node || edge.action != action) continue;
    has_edge = true;
    if (std::ranges::find(waiting_, edge.to) == waiting_.end() &&
        std::ranges::find(targets, edge.to) == targets.end())
      targets.push_back(edge.to);
  }
  // In front: a branch goes to its end before the next begins.
  waiting_.insert(waiting_.begin(), targets.begin(), targets.end());
  return has_edge;
}

std::vector<std::string_view> own_actions(const Flow& flow, std::size_t node) {
  std::vector<std::string_view> actions;
  for (const FlowEdge& edge : flow.edges) {
    if (edge.from != node || edge.action == "default" || edge.action == "error") continue;
    if (std::ranges::find(actions, edge.action) == actions.end()) actions.push_back(edge.action);
  }
  return actions;
}

}  // namespace airlock::flow
