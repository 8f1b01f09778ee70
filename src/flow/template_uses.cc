#include "flow/template_uses.h"

namespace airlock::flow {

namespace {

// "fetch" of "fetch.result[0]", and where it ends.
std::string_view first_name(std::string_view path) {
  return path.substr(0, path.find_first_of(".["));
}

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t\r\n");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t\r\n") - from + 1);
}

// `whole` with its ${ and }.
TemplateUse read_use(std::string_view whole) {
  const std::string_view path = trimmed(whole.substr(2, whole.size() - 3));
  TemplateUse use{std::string(whole), std::string(first_name(path)), "", ""};
  const std::string_view rest = path.substr(use.root.size());
  std::size_t used = 0;
  if (rest.starts_with('.')) {
    use.second = first_name(rest.substr(1));
    used = 1 + use.second.size();
  } else if (rest.starts_with("[\"") || rest.starts_with("['")) {
    const std::size_t end = rest.find(rest[1], 2);
    if (end == std::string_view::npos || rest.substr(end + 1, 1) != "]") return use;
    use.second = rest.substr(2, end - 2);
    used = end + 2;
  }
  use.below = rest.substr(used);
  return use;
}

void find_in_text(std::string_view text, std::vector<TemplateUse>& uses) {
  for (std::size_t at = text.find("${"); at != std::string_view::npos; at = text.find("${", at)) {
    const std::size_t end = text.find_first_of("{}", at + 2);
    const bool is_escaped = at > 0 && text[at - 1] == '$';
    if (end == std::string_view::npos) return;
    if (text[end] == '}' && !is_escaped) uses.push_back(read_use(text.substr(at, end - at + 1)));
    at += 2;
  }
}

void find_in(const Json& value, std::vector<TemplateUse>& uses) {
  if (value.is_string()) return find_in_text(value.get_ref<const std::string&>(), uses);
  if (!value.is_structured()) return;
  for (const Json& inner : value) find_in(inner, uses);
}

bool is_opening(std::string_view text, std::size_t at) {
  return text.substr(at, 2) == "${" && (at == 0 || text[at - 1] != '$');
}

// Two opening braces with nothing closed between them, then two closing ones.
std::optional<std::string> nested_in_text(std::string_view text) {
  for (std::size_t at = text.find("${"); at != std::string_view::npos;
       at = text.find("${", at + 2)) {
    const std::size_t inner = text.find_first_of("{}", at + 2);
    if (!is_opening(text, at) || inner == std::string_view::npos) continue;
    if (inner == at + 2 || !is_opening(text, inner - 1)) continue;
    const std::size_t closed = text.find_first_of("{}", inner + 1);
    if (closed == std::string_view::npos || text[closed] != '}') continue;
    const std::size_t end = text.find_first_of("{}", closed + 1);
    if (end == std::string_view::npos || text[end] != '}') continue;
    return std::string(text.substr(at, end - at + 1));
  }
  return std::nullopt;
}

// The first one, cut for a message.
std::optional<std::string> broken_in_text(std::string_view text) {
  constexpr std::size_t kShown = 40;
  for (std::size_t at = text.find("${"); at != std::string_view::npos;
       at = text.find("${", at + 2)) {
    const std::size_t end = text.find_first_of("{}", at + 2);
    const bool is_closed = end != std::string_view::npos && text[end] == '}';
    if (!is_closed && is_opening(text, at)) return std::string(text.substr(at, kShown));
  }
  return std::nullopt;
}

template <typename Find>
std::optional<std::string> first_in(const Json& value, Find find) {
  if (value.is_string()) return find(value.get_ref<const std::string&>());
  if (!value.is_structured()) return std::nullopt;
  for (const Json& inner : value) {
    if (auto found = first_in(inner, find)) return found;
  }
  return std::nullopt;
}

}  // namespace

std::optional<TemplateUse> whole_template(const Json& value) {
  if (!value.is_string()) return std::nullopt;
  const std::string_view text = value.get_ref<const std::string&>();
  if (!text.starts_with("${") || text.find_first_of("{}", 2) != text.size() - 1 ||
      !text.ends_with('}'))
    return std::nullopt;
  return read_use(text);
}

std::optional<std::string> nested_template(const Json& value) {
  return first_in(value, nested_in_text);
}

std::optional<std::string> broken_template(const Json& value) {
  return first_in(value, broken_in_text);
}

std::vector<TemplateUse> template_uses(const Json& value) {
  std::vector<TemplateUse> uses;
  find_in(value, uses);
  return uses;
}

Json templated_part(const Node& node) {
  if (node.type == NodeType::kProbe) return node.params;  // any of them
  const char* place = node.type == NodeType::kCode ? "inputs" : "paths";
  return node.params.contains(place) ? node.params[place] : Json();
}

std::vector<TemplateUse> template_uses(const Node& node) {
  return template_uses(templated_part(node));
}

}  // namespace airlock::flow
