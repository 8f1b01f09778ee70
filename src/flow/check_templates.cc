#include "flow/check_templates.h"

#include <algorithm>
#include <map>

#include "base/nearest.h"
#include "flow/node_types.h"
#include "flow/reach.h"
#include "flow/template_uses.h"

namespace airlock::flow {

namespace {

class Checker {
 public:
  Checker(const Flow& flow, const Json& shared)
      : flow_(flow), shared_(shared), reach_(flow), uses_(flow.nodes.size()) {
    for (std::size_t i = 0; i < flow.nodes.size(); ++i) places_.emplace(flow.nodes[i].id, i);
  }

  std::vector<Problem> check() {
    for (std::size_t i = 0; i < flow_.nodes.size(); ++i) {
      for (const TemplateUse& use : template_uses(flow_.nodes[i])) check(i, use);
    }
    find_circles();
    warn_of_unreached();
    return std::move(problems_);
  }

 private:
  void complain(std::size_t node, std::string message) {
    problems_.push_back({flow_.nodes[node].id, std::move(message)});
  }

  void check(std::size_t node, const TemplateUse& use) {
    if (use.root.empty())
      return complain(node, "Template " + use.text + " is not a path. Write ${node.key[0].sub}");
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
    for (const auto& [name, value] : shared_.items()) names.push_back(name);
    const std::string_view near = nearest_word(use.root, names);
    std::string message = "Template " + use.text + " names '" + use.root +
                          "', which is neither a node nor in the shared store.";
    if (!near.empty()) message += " Did you mean '" + std::string(near) + "'?";
    std::string known;
    for (const std::string_view name : names)
      known += (known.empty() ? "" : ", ") + std::string(name);
    if (known.size() < 500) message += " There is: " + known;
    complain(node, std::move(message));
  }

  void check_key(std::size_t node, const TemplateUse& use) {
    if (use.second.empty() || std::ranges::find(entry_keys(), use.second) != entry_keys().end())
      return;
    const std::string_view near = nearest_word(use.second, entry_keys());
    complain(node, "Template " + use.text + " names '" + use.second +
                       "', but a node leaves result, stdout, stderr or error." +
                       (near.empty() ? "" : " Did you mean '" + std::string(near) + "'?"));
  }

  // Depth first; a node that is met again while it is still open closes a circle.
  void find_circles() {
    enum class State : std::uint8_t { kNew, kOpen, kDone };
    std::vector<State> states(flow_.nodes.size(), State::kNew);
    struct Visit {
      std::size_t node;
      std::size_t next = 0;
    };
    for (std::size_t first = 0; first < flow_.nodes.size(); ++first) {
      std::vector<Visit> way;
      if (states[first] == State::kNew) way.push_back({first});
      while (!way.empty()) {
        Visit& at = way.back();
        states[at.node] = State::kOpen;
        if (at.next == uses_[at.node].size()) {
          states[at.node] = State::kDone;
          way.pop_back();
          continue;
        }
        const std::size_t source = uses_[at.node][at.next++];
        if (states[source] == State::kNew) way.push_back({source});
        if (states[source] != State::kOpen || way.back().node == source) {
          if (states[source] == State::kOpen) complain_of_circle({source});
          continue;
        }
        std::vector<std::size_t> circle;
        bool is_inside = false;
        for (const Visit& visit : way) {
          is_inside |= visit.node == source;
          if (is_inside) circle.push_back(visit.node);
        }
        complain_of_circle(circle);
      }
    }
  }

  void complain_of_circle(const std::vector<std::size_t>& circle) {
    std::string names;
    for (const std::size_t node : circle) names += "'" + flow_.nodes[node].id + "' uses ";
    complain(circle[0], "The templates form a cycle: " + names + "'" + flow_.nodes[circle[0]].id +
                            "'. Give one of them a first value with --shared, or take a template "
                            "out");
  }

  void warn_of_unreached() {
    const std::vector<bool> reached = reach_.from_start();
    for (std::size_t i = 0; i < flow_.nodes.size(); ++i) {
      if (reached[i]) continue;
      problems_.push_back({flow_.nodes[i].id, "No edge leads here: this node never runs", 0,
                           Problem::Severity::kWarning});
    }
  }

  const Flow& flow_;
  const Json& shared_;
  Reach reach_;
  std::map<std::string, std::size_t> places_;
  std::vector<std::vector<std::size_t>> uses_;  // of each node: whose output it uses
  std::vector<Problem> problems_;
};

}  // namespace

std::vector<Problem> check_templates(const Flow& flow, const Json& shared) {
  return Checker(flow, shared).check();
}

}  // namespace airlock::flow
