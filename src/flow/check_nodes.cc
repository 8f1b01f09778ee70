#include "flow/check_nodes.h"

#include <map>
#include <optional>

#include "flow/native_nodes.h"
#include "flow/sandboxed_node.h"

namespace airlock::flow {

namespace {

using Annotations = std::map<std::string, std::string>;

// "fetch" and "result" of "${fetch.result}", when that is all of the text.
std::optional<std::pair<std::string, std::string>> whole_output(const Json& given) {
  if (!given.is_string()) return std::nullopt;
  std::string_view text = given.get_ref<const std::string&>();
  if (!text.starts_with("${") || !text.ends_with("}")) return std::nullopt;
  text = text.substr(2, text.size() - 3);
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos || text.find_first_of("${}[", 0) != std::string_view::npos ||
      text.find('.', dot + 1) != std::string_view::npos)
    return std::nullopt;
  return std::pair{std::string(text.substr(0, dot)), std::string(text.substr(dot + 1))};
}

// What a node's output is declared as; empty when nobody knows.
std::string type_of(const std::string& key, const Node& node, const Annotations& annotations) {
  if (key != "result") return "str";
  if (node.type == NodeType::kExtractor) return "list";
  const auto found = annotations.find("result");
  return found == annotations.end() ? std::string() : found->second;
}

class Checker {
 public:
  Checker(const Flow& flow, const std::string& host_program)
      : flow_(flow), native_(host_program, "{}"), sandbox_(host_program) {}

  Result<std::vector<Problem>> check() {
    for (const Node& node : flow_.nodes) {
      if (node.type == NodeType::kCode) TRY(read(node));
    }
    for (const Node& node : flow_.nodes) TRY(compare(node));
    return std::move(problems_);
  }

 private:
  Result<void> read(const Node& node) {
    const auto checked =
        is_sandboxed(node)
            ? sandbox_.check(node)
            : native_.check(node.id,
                            node.params.dump(-1, ' ', false, Json::error_handler_t::replace));
    if (!checked) return std::unexpected(checked.error());
    for (const auto& problem : checked->problems)
      problems_.push_back({node.id, problem.message, problem.line});
    annotations_[node.id] = Annotations(checked->annotations.begin(), checked->annotations.end());
    return {};
  }

  Result<void> compare(const Node& node) {
    if (node.type != NodeType::kCode || !node.params.contains("inputs") ||
        !node.params["inputs"].is_object())
      return {};
    for (const auto& [name, given] : node.params["inputs"].items()) TRY(compare(node, name, given));
    return {};
  }

  Result<void> compare(const Node& node, const std::string& name, const Json& given) {
    const auto output = whole_output(given);
    const auto declared = annotations_[node.id].find(name);
    if (!output || declared == annotations_[node.id].end()) return {};
    for (const Node& source : flow_.nodes) {
      if (source.id != output->first) continue;
      const std::string type = type_of(output->second, source, annotations_[source.id]);
      const auto fits = type.empty() ? Result<bool>(true) : native_.can_fit(type, declared->second);
      if (!fits) return std::unexpected(fits.error());
      if (*fits) continue;
      problems_.push_back({node.id, message("Input '" + name + "' expects " + declared->second +
                                                " but '" + source.id + "' gives " + type,
                                            "Template: " + given.get<std::string>(),
                                            {"Declare what comes: " + name + ": " + type,
                                             "Or change what '" + source.id + "' gives"})});
    }
    return {};
  }

  const Flow& flow_;
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
