#include "flow/reach.h"

namespace airlock::flow {

Reachability::Reachability(const Flow& flow)
    : flow_(&flow), next_(flow.nodes.size()), known_(flow.nodes.size()) {
  for (const FlowEdge& edge : flow.edges) next_[edge.from].push_back(edge.to);
}

const std::vector<bool>& Reachability::after(std::size_t from) {
  if (known_[from]) return *known_[from];
  // `from` itself is only in it if a circle leads back.
  std::vector<bool> seen(next_.size());
  std::vector<std::size_t> waiting{from};
  while (!waiting.empty()) {
    const std::size_t at = waiting.back();
    waiting.pop_back();
    for (const std::size_t to : next_[at]) {
      if (seen[to]) continue;
      seen[to] = true;
      waiting.push_back(to);
    }
  }
  return known_[from].emplace(std::move(seen));
}

bool Reachability::leads(std::size_t from, std::size_t to) {
  return after(from)[to];
}

std::vector<bool> Reachability::from_start() {
  std::vector<bool> reached = after(flow_->start);
  reached[flow_->start] = true;
  return reached;
}

}  // namespace airlock::flow
