// Code nodes, trusted or not, as text: what can be said of one without running it. Their text is
// read in a cell, by our own program; nothing of it is evaluated there either.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "flow/document.h"
#include "flow/sandboxed_node.h"

namespace airlock::flow {

// Of a node that cannot be read at all there are problems and nothing else.
struct ReadNode {
  std::vector<FlowProblem> problems;
  std::vector<std::pair<std::string, std::string>> annotations;  // name, declared type
};

// Whether what is declared as `given`, or what lies below it at `path` ("[0].name"), can be what
// `declared` asks for.
struct FitQuestion {
  std::string given;
  std::string path;
  std::string declared;
  bool is_strict = false;  // to the bottom, not only the outer type
};

// An Error: this host cannot give the isolation.
// A cell for each question; what it says is a guest's word and only becomes messages.
class NodeReader {
 public:
  explicit NodeReader(const std::string& host_program) : cells_(host_program) {}

  Result<ReadNode> read(const Node& node);
  // One answer for each question, in order.
  Result<std::vector<bool>> can_fit(std::span<const FitQuestion> questions);

 private:
  SandboxedNodes cells_;
};

}  // namespace airlock::flow
