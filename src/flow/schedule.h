// Which node runs next. A node's action chooses its edges; several edges for one action are
// branches, taken in the document's order, each to its end before the next. A node where branches
// meet waits for all that are under way, and runs once. Deterministic; one thread.
#pragma once

#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "flow/document.h"
#include "flow/reach.h"

namespace airlock::flow {

class Schedule {
 public:
  explicit Schedule(const Flow& flow);

  // Nothing: the flow has come to its end.
  std::optional<std::size_t> next();
  // False: the action has no edge, and this branch ends here.
  bool follow_action(std::size_t node, std::string_view action);
  bool has_waiting() const { return !waiting_.empty(); }

 private:
  bool must_wait(std::size_t node);

  const Flow* flow_;
  Reachability reach_;
  // Nodes that are to run, the next one first; none stands in it twice.
  std::deque<std::size_t> waiting_;
};

// The actions beyond default and error that edges of this node are for.
std::vector<std::string_view> own_actions(const Flow& flow, std::size_t node);

}  // namespace airlock::flow
