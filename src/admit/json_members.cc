#include "admit/json_members.h"

#include <charconv>

#include "admit/strict_json.h"
#include "base/json_string.h"

namespace airlock {

namespace {

// What follows is only asked of text that StrictJson has accepted: it is well formed.

std::string_view without_spaces(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t");
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(" \t") - start + 1);
}

// Behind the value that begins at `at`, which is no space.
std::size_t end_of_value(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  bool is_string = false;
  for (; at < text.size(); ++at) {
    const char one = text[at];
    if (is_string) {
      if (one == '\\') ++at;
      if (one == '"') is_string = false;
      continue;
    }
    if (one == '"') is_string = true;
    if (one == '{' || one == '[') ++depth;
    if ((one == ',' || one == '}' || one == ']') && depth == 0) return at;
    if (one == '}' || one == ']') --depth;
  }
  return text.size();
}

}  // namespace

std::optional<std::string> json_string_value(std::string_view raw) {
  if (raw.size() < 2 || raw.front() != '"' || raw.back() != '"') return std::nullopt;
  return unescape_json(raw.substr(1, raw.size() - 2));
}

std::optional<JsonMembers> JsonMembers::read(std::string_view text, std::size_t depth) {
  if (!StrictJson(depth).is_object(text)) return std::nullopt;
  JsonMembers read;
  text = without_spaces(text);
  std::size_t at = text.find_first_not_of(" \t", 1);
  while (at < text.size() && text[at] == '"') {
    const std::size_t end_of_name = behind_json_string(text, at);
    auto name = json_string_value(text.substr(at, end_of_name - at));
    const std::size_t value = text.find_first_not_of(" \t", text.find(':', end_of_name) + 1);
    const std::size_t end = end_of_value(text, value);
    read.members_.emplace(std::move(*name), without_spaces(text.substr(value, end - value)));
    at = text.find_first_not_of(" \t", end + 1);
  }
  return read;
}

std::string_view JsonMembers::raw(std::string_view name) const {
  const auto found = members_.find(name);
  return found != members_.end() ? found->second : std::string_view();
}

std::optional<std::string> JsonMembers::text(std::string_view name) const {
  return json_string_value(raw(name));
}

std::optional<double> JsonMembers::number(std::string_view name) const {
  const std::string_view value = raw(name);
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (value.empty() || error != std::errc() || end != value.data() + value.size())
    return std::nullopt;
  return number;
}

std::optional<bool> JsonMembers::flag(std::string_view name) const {
  const std::string_view value = raw(name);
  if (value != "true" && value != "false") return std::nullopt;
  return value == "true";
}

std::optional<std::vector<std::string_view>> JsonMembers::items(std::string_view name) const {
  const std::string_view list = raw(name);
  if (!list.starts_with('[')) return std::nullopt;
  std::vector<std::string_view> items;
  std::size_t at = list.find_first_not_of(" \t", 1);
  while (at < list.size() && list[at] != ']') {
    const std::size_t end = end_of_value(list, at);
    items.push_back(without_spaces(list.substr(at, end - at)));
    at = list.find_first_not_of(" \t", end + 1);
  }
  return items;
}

std::optional<std::vector<std::string>> JsonMembers::texts(std::string_view name) const {
  const auto all = items(name);
  if (!all) return std::nullopt;
  std::vector<std::string> texts;
  texts.reserve(all->size());
  for (const std::string_view one : *all) {
    auto text = json_string_value(one);
    if (!text) return std::nullopt;
    texts.push_back(std::move(*text));
  }
  return texts;
}

std::vector<std::string_view> JsonMembers::names() const {
  std::vector<std::string_view> names;
  for (const auto& [name, value] : members_) names.push_back(name);
  return names;
}

}  // namespace airlock
