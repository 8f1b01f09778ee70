#include "flow/check_nodes.h"

#include <map>
#include <optional>

#include "flow/extractor_node.h"
#include "flow/json_text.h"
#include "flow/native_nodes.h"
#include "flow/probe_node.h"
#include "flow/sandboxed_node.h"
#include "flow/template_uses.h"

namespace airlock::flow {

namespace {

using Annotations = std::map<std::string, std::string>;

// What a node's output is declared as; empty when nobody knows.
std::string type_of(const std::string& key, const Node& node, const Annotations& annotations) {
  if (key != "result") return "str";
  if (node.type == NodeType::kExtractor) return "list";
  if (node.type == NodeType::kProbe) return "dict";
  const auto found = annotations.find("result");
  return found == annotations.end() ? std::string() : found->second;
}

class Checker {
 public:
  Checker(const Flow& flow, const std::string& host_program)
      : flow_(flow),
        host_program_(host_program),
        native_(host_program, "{}"),
        sandbox_(host_program) {}

  Result<std::vector<Problem>> check() {
    for (const Node& node : flow_.nodes) {
      TRY(read(node));
    }
    for (const Node& node : flow_.nodes) TRY(compare(node));
    return std::move(problems_);
  }

 private:
  Result<void> read(const Node& node) {
    if (node.type != NodeType::kCode) return read_other(node);
    const auto checked =
        is_sandboxed(node) ? sandbox_.check(node) : native_.check(node.id, json_text(node.params));
    if (!checked) return std::unexpected(checked.error());
    for (const auto& problem : checked->problems)
      problems_.push_back({node.id, problem.message, problem.line});
    annotations_[node.id] = Annotations(checked->annotations.begin(), checked->annotations.end());
    return {};
  }

  Result<void> read_other(const Node& node) {
    const auto refused = node.type == NodeType::kExtractor
                             ? check_extractor_node(node, host_program_)
                             : Result<std::string>(check_probe_node(node));
    if (!refused) return std::unexpected(refused.error());
    if (!refused->empty()) problems_.push_back({node.id, *refused});
    return {};
  }

  Result<void> compare(const Node& node) {
    if (node.type != NodeType::kCode || !node.params.contains("inputs") ||
        !node.params["inputs"].is_object())
      return {};
    for (const auto& [name, given] : node.params["inputs"].items()) TRY(compare(node, name, given));
    return {};
  }

  // Text with a template inside of it is text, whatever the template gives.
  Result<void> compare(const Node& node, const std::string& name, const Json& given) {
    const auto declared = annotations_[node.id].find(name);
    if (!given.is_string() || declared == annotations_[node.id].end()) return {};
    const auto use = whole_template(given);
    if (!use)
      return template_uses(given).empty() ? Result<void>() : compare(node, *declared, given, {});
    for (const Node& source : flow_.nodes) {
      if (source.id != use->root || use->second.empty()) continue;
      const std::string type = type_of(use->second, source, annotations_[source.id]);
      if (!type.empty()) TRY(compare(node, *declared, given, {source.id, type, use->below}));
    }
    return {};
  }

  struct Given {
    std::string by;  // a node; empty: the text around the template makes it a text
    std::string type = "str";
    std::string below;  // the way from what is declared to what is used
  };

  Result<void> compare(const Node& node, const std::pair<const std::string, std::string>& declared,
                       const Json& text, const Given& given) {
    const bool is_strict = node.params.value("strict_types", Json(false)) == true;
    const auto fits = native_.can_fit({given.type, given.below, declared.second, is_strict});
    if (!fits) return std::unexpected(fits.error());
    if (*fits) return {};
    const std::string who = given.by.empty() ? "the text" : "'" + given.by + "'";
    const std::string what =
        given.type + (given.below.empty() ? "" : ", of which it takes " + given.below);
    const std::string& name = declared.first;
    std::vector<std::string> fixes = {"Change what " + who + " gives, or what is declared"};
    if (given.below.empty())
      fixes = {"Declare what comes: " + name + ": " + given.type,
               given.by.empty() ? "Or let the template be all of the text: then it keeps its type"
                                : "Or change what " + who + " gives"};
    problems_.push_back({node.id, message("Input '" + name + "' expects " + declared.second +
                                              " but " + who + " gives " + what,
                                          "Template: " + text.get<std::string>(), fixes)});
    return {};
  }

  const Flow& flow_;
  const std::string& host_program_;
  NativeNodes native_;
  SandboxedNodes sandbox_;
  std::map<std::string, Annotations> annotations_;
  std::vector<Problem> problems_;
};

}  // namespace

Result<std::vector<Problem>> check_nodes(const Flow& flow, const std::string& host_program) {
  return Checker(flow, host_program).check();
}

}  // namespace airlock::flow
