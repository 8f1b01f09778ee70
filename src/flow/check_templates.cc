#include "flow/check_templates.h"

#include <algorithm>
#include <map>

#include "base/nearest.h"
#include "flow/node_types.h"
#include "flow/reach.h"
#include "flow/template_uses.h"

namespace airlock::flow {

namespace {

// Nodes are numbers here: their places in the document.
class TemplateChecker {
 public:
  TemplateChecker(const Flow& flow, const Json& shared)
      : flow_(flow),
        shared_(shared),
        reach_(flow),
        uses_(flow.nodes.size()),
        states_(flow.nodes.size(), VisitState::kNew) {
    for (std::size_t i = 0; i < flow.nodes.size(); ++i) places_.emplace(flow.nodes[i].id, i);
  }

  std::vector<FlowProblem> check() {
    for (std::size_t i = 0; i < flow_.nodes.size(); ++i) complain_of_nested(i);
    // A single node reports what it cannot find itself, when it runs.
    if (flow_.is_single_node) return std::move(problems_);
    for (std::size_t i = 0; i < flow_.nodes.size(); ++i) {
      for (const TemplateUse& use : template_uses(flow_.nodes[i])) check(i, use);
      warn_of_broken(i);
    }
    find_cycles();
    warn_of_unreached();
    return std::move(problems_);
  }

 private:
  void complain(std::size_t node, std::string message) {
    problems_.push_back({flow_.nodes[node].id, std::move(message)});
  }

  void complain_of_nested(std::size_t node) {
    if (const auto nested = nested_template(templated_part(flow_.nodes[node])))
      complain(node,
               "Template " + *nested +
                   " holds another template, which is not looked up. Give the node both as inputs, "
                   "and let its code take the one with the other: result: int = a[i]");
  }

  void warn_of_broken(std::size_t node) {
    const Json part = templated_part(flow_.nodes[node]);
    const auto text = nested_template(part) ? std::nullopt : broken_template(part);
    if (text)
      problems_.push_back(
          {flow_.nodes[node].id,
           "No template comes of '" + *text +
               "': it stays as it is. Close it with }, or write $${ where ${ is meant",
           0, Severity::kWarning});
  }

  void check(std::size_t node, const TemplateUse& use) {
    if (use.root.empty())
      return complain(node, "Template " + use.text + " is not a path. Write ${node.key[0].sub}");
    // A name that the store has to begin with can always be looked up, whoever writes to it later.
    if (shared_.contains(use.root)) return;
    const auto found = places_.find(use.root);
    if (found == places_.end()) return complain_of_unknown(node, use);
    check_key(node, use);
    const std::size_t source = found->second;
    uses_[node].push_back(source);
    if (source != node && !reach_.leads(source, node))
      complain(node, "Template " + use.text + " cannot be resolved: no edge leads from '" +
                         use.root + "' to '" + flow_.nodes[node].id +
                         "', so it cannot have run before");
  }

  void complain_of_unknown(std::size_t node, const TemplateUse& use) {
    std::vector<std::string_view> names;
    for (const auto& [name, place] : places_) names.push_back(name);
    for (const auto& [name, value] : shared_.items()) {
      if (!places_.contains(name)) names.push_back(name);
    }
    std::string message = "Template " + use.text + " names '" + use.root +
                          "', which is neither a node nor in the shared store.";
    message += did_you_mean_sentence(use.root, names);
    std::string known;
    for (const std::string_view name : names)
      known += (known.empty() ? "" : ", ") + std::string(name);
    // A list that nobody would read is left out.
    if (known.size() < 500) message += " There is: " + known;
    complain(node, std::move(message));
  }

  void check_key(std::size_t node, const TemplateUse& use) {
    if (use.second.empty() || std::ranges::find(entry_keys(), use.second) != entry_keys().end())
      return;
    complain(node, "Template " + use.text + " names '" + use.second +
                       "', but a node leaves result, stdout, stderr or error." +
                       did_you_mean_sentence(use.second, entry_keys()));
  }

  // A node on the path that is being followed, and which of its sources comes next.
  struct Visit {
    std::size_t node;
    std::size_t next = 0;
  };
  // Not met yet, on the path that is being followed, or all that it uses has been seen.
  enum class VisitState : std::uint8_t { kNew, kOpen, kDone };

  void find_cycles() {
    for (std::size_t node = 0; node < flow_.nodes.size(); ++node) {
      if (states_[node] == VisitState::kNew) visit_from(node);
    }
  }

  // Depth first; a node that is met again while it is still open closes a cycle.
  void visit_from(std::size_t first) {
    std::vector<Visit> path{{first}};
    states_[first] = VisitState::kOpen;
    while (!path.empty()) {
      Visit& at = path.back();
      if (at.next == uses_[at.node].size()) {
        states_[at.node] = VisitState::kDone;
        path.pop_back();
        continue;
      }
      const std::size_t source = uses_[at.node][at.next++];
      if (states_[source] == VisitState::kOpen) complain_of_cycle(path, source);
      if (states_[source] != VisitState::kNew) continue;
      states_[source] = VisitState::kOpen;
      path.push_back({source});
    }
  }

  void complain_of_cycle(const std::vector<Visit>& path, std::size_t closing) {
    std::string names;
    const auto begin = std::ranges::find(path, closing, &Visit::node);
    for (auto at = begin; at != path.end(); ++at)
      names += "'" + flow_.nodes[at->node].id + "' uses ";
    complain(closing,
             "The templates form a cycle: " + names + "'" + flow_.nodes[closing].id +
                 "'. Give one of them a first value with --shared, or take a template out");
  }

  void warn_of_unreached() {
    // A warning only: a flow under construction has such nodes.
    const std::vector<bool> reached = reach_.from_start();
    for (std::size_t i = 0; i < flow_.nodes.size(); ++i) {
      if (reached[i]) continue;
      problems_.push_back(
          {flow_.nodes[i].id, "No edge leads here: this node never runs", 0, Severity::kWarning});
    }
  }

  const Flow& flow_;
  const Json& shared_;
  Reachability reach_;
  std::map<std::string, std::size_t> places_;
  std::vector<std::vector<std::size_t>> uses_;  // of each node: whose output it uses
  std::vector<VisitState> states_;
  std::vector<FlowProblem> problems_;
};

}  // namespace

std::vector<FlowProblem> check_templates(const Flow& flow, const Json& shared) {
  return TemplateChecker(flow, shared).check();
}

}  // namespace airlock::flow
