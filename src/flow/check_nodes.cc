#include "flow/check_nodes.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "flow/extractor_node.h"
#include "flow/node_reader.h"
#include "flow/probe_node.h"
#include "flow/step.h"
#include "flow/template_uses.h"

namespace airlock::flow {

namespace {

using Annotations = std::map<std::string, std::string>;

// What a node's output `key` is declared as, as a Python type; empty when nobody knows.
std::string type_of(const std::string& key, const Node& node, const Annotations& annotations) {
  if (key != "result") return "str";
  if (node.type == NodeType::kExtractor) return "list";
  if (node.type == NodeType::kProbe) return "dict";
  const auto found = annotations.find("result");
  return found == annotations.end() ? std::string() : found->second;
}

// Two passes: first every node is read, because an input may come from a node further down; then
// what one gives is held against what the next declares. The questions about types are gathered and
// asked at once: a cell costs milliseconds, a pair of types nothing.
class NodeChecker {
 public:
  NodeChecker(const Flow& flow, const std::string& host_program)
      : flow_(flow), host_program_(host_program), reader_(host_program) {}

  Result<std::vector<FlowProblem>> check() {
    for (const Node& node : flow_.nodes) TRY(read(node));
    for (const Node& node : flow_.nodes) compare(node);
    TRY(judge_pairs());
    return std::move(problems_);
  }

 private:
  Result<void> read(const Node& node) {
    if (node.type != NodeType::kCode) return read_other(node);
    auto read = TRY(reader_.read(node));
    std::ranges::move(read.problems, std::back_inserter(problems_));
    annotations_[node.id] = Annotations(read.annotations.begin(), read.annotations.end());
    return {};
  }

  Result<void> read_other(const Node& node) {
    const auto refused =
        TRY(node.type == NodeType::kExtractor ? check_extractor_node(node, host_program_)
                                              : Result<std::string>(check_probe_node(node)));
    if (!refused.empty()) problems_.push_back({node.id, refused});
    return {};
  }

  void compare(const Node& node) {
    if (node.type != NodeType::kCode || !node.params.contains("inputs") ||
        !node.params["inputs"].is_object())
      return;
    for (const auto& [name, given] : node.params["inputs"].items()) compare(node, name, given);
  }

  // Text with a template inside of it is text, whatever the template gives.
  void compare(const Node& node, const std::string& name, const Json& given) {
    const auto declared = annotations_[node.id].find(name);
    if (!given.is_string() || declared == annotations_[node.id].end()) return;
    // A template that is all of the text keeps its type; inside of other text it becomes text.
    const auto use = whole_template(given);
    if (!use) {
      if (!template_uses(given).empty()) compare(node, *declared, given, {});
      return;
    }
    for (const Node& source : flow_.nodes) {
      if (source.id != use->root || use->second.empty()) continue;
      const std::string type = type_of(use->second, source, annotations_[source.id]);
      if (!type.empty()) compare(node, *declared, given, {source.id, type, use->below});
    }
  }

  struct Given {
    std::string by;  // a node; empty: the text around the template makes it a text
    std::string type = "str";
    std::string below;  // the way from what is declared to what is used
  };

  // What a node declares, and what another gives it.
  struct TypePair {
    const Node* node;
    std::string name;
    std::string declared;
    std::string text;  // the input as it is written
    Given given;
  };

  void compare(const Node& node, const std::pair<const std::string, std::string>& declared,
               const Json& text, const Given& given) {
    const bool is_strict = node.params.value("strict_types", Json(false)) == true;
    questions_.push_back({given.type, given.below, declared.second, is_strict});
    pairs_.push_back({&node, declared.first, declared.second, text.get<std::string>(), given});
  }

  Result<void> judge_pairs() {
    const auto fits = TRY(reader_.can_fit(questions_));
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (!fits[i]) complain(pairs_[i]);
    }
    return {};
  }

  // Which fix is offered depends on where the type comes from: a node, or the text around a
  // template.
  void complain(const TypePair& pair) {
    const Given& given = pair.given;
    const std::string who = given.by.empty() ? "the text" : "'" + given.by + "'";
    const std::string what =
        given.type + (given.below.empty() ? "" : ", of which it takes " + given.below);
    std::vector<std::string> fixes = {"Change what " + who + " gives, or what is declared"};
    if (given.below.empty())
      fixes = {"Declare what comes: " + pair.name + ": " + given.type,
               given.by.empty() ? "Or let the template be all of the text: then it keeps its type"
                                : "Or change what " + who + " gives"};
    problems_.push_back(
        {pair.node->id, message("Input '" + pair.name + "' expects " + pair.declared + " but " +
                                    who + " gives " + what,
                                "Template: " + pair.text, fixes)});
  }

  const Flow& flow_;
  const std::string& host_program_;
  NodeReader reader_;
  std::map<std::string, Annotations> annotations_;
  std::vector<TypePair> pairs_;
  std::vector<FitQuestion> questions_;  // one for each pair
  std::vector<FlowProblem> problems_;
};

}  // namespace

Result<std::vector<FlowProblem>> check_nodes(const Flow& flow, const std::string& host_program) {
  return NodeChecker(flow, host_program).check();
}

}  // namespace airlock::flow
