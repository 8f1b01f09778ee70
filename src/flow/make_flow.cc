#include "flow/make_flow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/nearest.h"
#include "flow/node_types.h"
#include "flow/value_text.h"

namespace airlock::flow {

namespace {

constexpr std::array<std::string_view, 6> kFlowKeys = {"nodes", "edges",     "start",
                                                       "name",  "max_steps", "description"};
constexpr std::array<std::string_view, 4> kNodeKeys = {"id", "type", "params", "description"};
constexpr std::array<std::string_view, 3> kEdgeKeys = {"from", "to", "action"};
// Bounds against documents made to hurt; people stay far below.
constexpr std::size_t kMostNodes = 10'000;
constexpr std::int64_t kMostSteps = 1'000'000;
constexpr std::int64_t kMostRetries = 1000;

std::string listed(std::span<const std::string_view> names) {
  std::string out;
  for (const std::string_view name : names) out += (out.empty() ? "" : ", ") + std::string(name);
  return out;
}

std::string_view kind_of(const Json& value) {
  if (value.is_null()) return "null";
  if (value.is_boolean()) return "true or false";
  if (value.is_number() || as_long_integer(value)) return "a number";
  if (value.is_string()) return "text";
  return value.is_array() ? "a list" : "an object";
}

std::string_view word_for(double not_finite) {
  if (std::isnan(not_finite)) return "nan";
  return not_finite > 0 ? "inf" : "-inf";
}

// A whole number between the two bounds; nothing for anything else. Documents may hold numbers of
// any size.
std::optional<std::int64_t> whole_number(const Json& value, std::int64_t least, std::int64_t most) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t(most))
    return std::nullopt;
  const auto number = value.get<std::int64_t>();
  return number >= least && number <= most ? std::optional(number) : std::nullopt;
}

// Goes on after a mistake, so that all are told at once. A node that cannot be read still takes its
// place, so that numbers in later messages are right.
class FlowMaker {
 public:
  // Any problem and there is no flow: nothing half-read is ever run.
  std::expected<Flow, std::vector<FlowProblem>> make(const Json& document) {
    if (!document.is_object()) {
      complain("",
               "A document is an object with \"nodes\" (a flow) or \"type\" (a node); this is " +
                   std::string(kind_of(document)));
    } else if (document.contains("nodes")) {
      read_flow(document);
    } else {
      flow_.is_single_node = true;
      read_node(document, "");
    }
    if (!problems_.empty()) return std::unexpected(std::move(problems_));
    return std::move(flow_);
  }

 private:
  void complain(const std::string& node, std::string message) {
    problems_.push_back({node, std::move(message)});
  }

  void refuse_unknown(const Json& object, std::span<const std::string_view> known,
                      const std::string& node, const std::string& what) {
    for (const auto& [key, value] : object.items()) {
      if (std::ranges::find(known, key) != known.end()) continue;
      complain(node, "Unknown " + what + " '" + key + "'." + did_you_mean_sentence(key, known) +
                         " Known: " + listed(known));
    }
  }

  void read_flow(const Json& document) {
    refuse_unknown(document, kFlowKeys, "", "key of a flow");
    const Json& nodes = document["nodes"];
    if (!nodes.is_array() || nodes.empty() || nodes.size() > kMostNodes)
      return complain("",
                      "\"nodes\" must be a list of 1 to " + std::to_string(kMostNodes) + " nodes");
    for (const Json& node : nodes) read_node_of_flow(node);
    if (document.contains("name") && document["name"].is_string()) flow_.name = document["name"];
    if (document.contains("max_steps")) read_max_steps(document["max_steps"]);
    if (document.contains("edges")) {
      read_edges(document["edges"]);
    } else {  // one after the other
      for (std::size_t i = 1; i < flow_.nodes.size(); ++i)
        flow_.edges.push_back({i - 1, i, "default"});
    }
    if (document.contains("start")) read_start(document["start"]);
  }

  void read_max_steps(const Json& value) {
    const auto steps = whole_number(value, 1, kMostSteps);
    if (!steps)
      return complain(
          "", "\"max_steps\" must be a whole number from 1 to " + std::to_string(kMostSteps));
    flow_.max_steps = static_cast<std::size_t>(*steps);
  }

  void read_node_of_flow(const Json& node) {
    const std::string place = "node " + std::to_string(flow_.nodes.size() + 1);
    if (!node.is_object()) {
      flow_.nodes.emplace_back();
      return complain("", place + " must be an object; this is " + std::string(kind_of(node)));
    }
    if (!node.contains("id") || !node["id"].is_string() ||
        node["id"].get_ref<const std::string&>().empty()) {
      flow_.nodes.emplace_back();
      return complain("", place + " has no id: every node of a flow has \"id\", a text of its own");
    }
    const std::string id = node["id"];
    // Characters that mean something in a template.
    if (id.find_first_of(".[]{}$\"' \t\r\n") != std::string::npos || id.size() > 200)
      complain(id,
               "A node's id is at most 200 characters without . [ ] { } $ quotes and spaces: "
               "templates name it");
    if (places_.contains(id))
      complain(id, "Two nodes have the id '" + id + "'. An id belongs to one node");
    places_.emplace(id, flow_.nodes.size());
    read_node(node, id);
  }

  void read_node(const Json& node, const std::string& id) {
    flow_.nodes.push_back({id, NodeType::kCode, Json::object()});
    Node& made = flow_.nodes.back();
    std::vector<std::string_view> keys(kNodeKeys.begin(), kNodeKeys.end());
    keys.insert(keys.end(), outer_params().begin(), outer_params().end());
    refuse_unknown(node, keys, id, "key of a node");
    if (!read_type(node, made)) return;
    if (node.contains("params") && !node["params"].is_object())
      return complain(
          id, "\"params\" must be an object; this is " + std::string(kind_of(node["params"])));
    if (node.contains("params")) made.params = node["params"];
    // Some parameters may stand beside "params"; there they win.
    for (const std::string_view name : outer_params()) {
      if (node.contains(name)) made.params[std::string(name)] = node[std::string(name)];
    }
    const NodeTypeRow& row = row_of(made.type);
    refuse_unknown(made.params, row.params, id,
                   "parameter of a node of type '" + std::string(row.name) + "':");
    check_numbers(made);
    check_flags(made);
  }

  bool read_type(const Json& node, Node& made) {
    std::vector<std::string_view> names;
    for (const NodeTypeRow& row : node_types()) names.push_back(row.name);
    if (!node.contains("type") || !node["type"].is_string()) {
      complain(made.id, "A node has \"type\": one of " + listed(names));
      return false;
    }
    const std::string type = node["type"];
    for (const NodeTypeRow& row : node_types()) {
      if (row.name != type) continue;
      made.type = row.type;
      return true;
    }
    complain(made.id, "Unknown node type '" + type + "'." + did_you_mean_sentence(type, names) +
                          " Known: " + listed(names));
    return false;
  }

  void check_numbers(const Node& node) {
    if (node.params.contains("timeout")) check_timeout(node, node.params["timeout"]);
    if (!is_finite(node.params))
      complain(node.id, "The parameters hold NaN or infinity, which are no JSON values");
  }

  // Only what the node itself could not report. Other mistakes (no number, not above zero) are
  // reported by whoever reads the node, in the same words as at run time.
  void check_timeout(const Node& node, const Json& timeout) {
    if (const auto digits = as_long_integer(timeout))
      return complain(node.id, "Timeout must be positive number, got one of " +
                                   std::to_string(digits->size()) + " digits");
    if (timeout.is_number_float() && !is_finite(timeout))
      return complain(node.id, "Timeout must be positive number, got " +
                                   std::string(word_for(timeout.get<double>())));
    constexpr double kMost = 3600;
    if (node.type == NodeType::kExtractor &&
        (!timeout.is_number() || !(timeout.get<double>() > 0 && timeout.get<double>() <= kMost)))
      complain(node.id,
               "\"timeout\" of an extractor node is a number of seconds for each path, above 0 and "
               "at most 3600");
  }

  void check_flags(const Node& node) {
    for (const char* name : {"sandbox", "strict_types"}) {
      if (node.params.contains(name) && !node.params[name].is_boolean())
        complain(node.id, "\"" + std::string(name) + "\" must be true or false; this is " +
                              std::string(kind_of(node.params[name])));
    }
    if (node.params.contains("max_retries")) {
      const Json& value = node.params["max_retries"];
      if (!whole_number(value, 0, kMostRetries))
        complain(node.id, "\"max_retries\" must be a whole number from 0 to " +
                              std::to_string(kMostRetries) + ": how often the code may be tried");
    }
    if (node.params.contains("wait")) {
      const Json& value = node.params["wait"];
      if (!value.is_number() || !(value.get<double>() >= 0 && value.get<double>() <= 3600))
        complain(node.id, "\"wait\" must be a number of seconds from 0 to 3600, between two tries");
    }
  }

  std::optional<std::size_t> find(const Json& id, const std::string& what) {
    if (!id.is_string()) {
      complain("", what + " must be the id of a node; this is " + std::string(kind_of(id)));
      return std::nullopt;
    }
    const auto found = places_.find(id.get<std::string>());
    if (found != places_.end()) return found->second;
    std::vector<std::string_view> names;
    for (const auto& [name, place] : places_) names.push_back(name);
    complain("", what + " leads nowhere: there is no node '" + id.get<std::string>() + "'." +
                     did_you_mean_sentence(id.get_ref<const std::string&>(), names));
    return std::nullopt;
  }

  void read_edges(const Json& edges) {
    if (!edges.is_array()) return complain("", "\"edges\" must be a list");
    for (std::size_t i = 0; i < edges.size(); ++i) read_edge(edges[i], i + 1);
  }

  void read_edge(const Json& edge, std::size_t number) {
    const std::string what = "Edge " + std::to_string(number);
    if (!edge.is_object() || !edge.contains("from") || !edge.contains("to"))
      return complain("", what + " must be an object with \"from\" and \"to\"");
    refuse_unknown(edge, kEdgeKeys, "", "key of an edge");
    const auto from = find(edge["from"], what + " (from)");
    const auto to = find(edge["to"], what + " (to)");
    std::string action = "default";
    // No action, or null, is "default".
    if (edge.contains("action") && !edge["action"].is_null()) {
      if (!edge["action"].is_string() || edge["action"].get_ref<const std::string&>().empty())
        return complain("", what +
                                ": \"action\" must be a text: default, error, or what the node "
                                "returns");
      action = edge["action"];
    }
    if (from && to) flow_.edges.push_back({*from, *to, std::move(action)});
  }

  void read_start(const Json& start) {
    if (const auto found = find(start, "\"start\"")) flow_.start = *found;
  }

  Flow flow_;
  std::vector<FlowProblem> problems_;
  std::map<std::string, std::size_t> places_;
};

}  // namespace

std::expected<Flow, std::vector<FlowProblem>> make_flow(const Json& document) {
  return FlowMaker().make(document);
}

}  // namespace airlock::flow
