// The nouns of flows: nodes, the edges between them, and what is wrong with a document. Plain
// values; make_flow.h makes them from JSON, run_flow.h runs them. Nodes are named by their place in
// Flow::nodes everywhere but in messages and templates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/finding.h"

namespace airlock::flow {

// Keeps the order of keys: what is written again looks as it was read.
using Json = nlohmann::ordered_json;

// What each may be told stands in node_types.h.
enum class NodeType : std::uint8_t { kCode, kExtractor, kProbe };

// `params` as the document has them, templates unresolved; their shape has been checked.
struct Node {
  std::string id;  // empty for a node that stands alone
  NodeType type = NodeType::kCode;
  Json params = Json::object();
};

// To be run behind the walls.
inline bool is_sandboxed(const Node& node) {
  return node.params.contains("sandbox") && node.params["sandbox"] == true;
}

// Followed when `from` ends with this action. "error" is what a node that failed ends with.
struct FlowEdge {
  std::size_t from = 0;  // indexes of nodes
  std::size_t to = 0;
  std::string action = "default";
};

// A document that could be read. A single node is a flow of one, without an id and without edges.
struct Flow {
  bool is_single_node = false;
  std::string name;
  std::vector<Node> nodes;
  std::vector<FlowEdge> edges;  // in the document's order
  std::size_t start = 0;
  std::size_t max_steps = 1000;
};

// False: somewhere in it is NaN or infinity, which Python and YAML have and JSON has not.
bool is_finite(const Json& value);

// What is wrong, found before anything was run.
struct FlowProblem {
  std::string node;  // its id; empty when it is not about one
  std::string message;
  std::uint32_t line = 0;  // of the node's code
  Severity severity = Severity::kError;
};

}  // namespace airlock::flow
