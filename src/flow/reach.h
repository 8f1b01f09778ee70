// Which nodes can run after which, by the edges alone, whatever their actions. Answers are
// remembered: a node's reach is found once, by a search over the edges. Borrows the flow; one
// thread.
#pragma once

#include <optional>
#include <vector>

#include "flow/document.h"

namespace airlock::flow {

class Reachability {
 public:
  explicit Reachability(const Flow& flow);

  // Whether a path of at least one edge leads there.
  bool leads(std::size_t from, std::size_t to);
  // All nodes that the flow can reach, the start node included.
  std::vector<bool> from_start();

 private:
  const std::vector<bool>& after(std::size_t from);

  const Flow* flow_;
  std::vector<std::vector<std::size_t>> next_;
  std::vector<std::optional<std::vector<bool>>> known_;
};

}  // namespace airlock::flow
