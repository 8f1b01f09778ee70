#include "present/http/routes.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

namespace airlock::http {

namespace {

// Stands for the rest of a path.
constexpr std::string_view kRest = "{...}";

// Up to the next slash, which is taken away.
std::string_view next_part(std::string_view& path) {
  const std::size_t end = std::min(path.find('/'), path.size());
  const std::string_view part = path.substr(0, end);
  path.remove_prefix(std::min(end + 1, path.size()));
  return part;
}

bool is_wildcard(std::string_view part) {
  return part.starts_with('{') && part.ends_with('}');
}

}  // namespace

std::optional<std::vector<std::string>> match_path(std::string_view pattern,
                                                   std::string_view path) {
  std::vector<std::string> captured;
  if (pattern.ends_with(kRest)) {
    // The parts before it, and then whatever there is.
    pattern.remove_suffix(kRest.size());
    std::size_t end = 0;
    for (auto slashes = std::ranges::count(pattern, '/'); slashes > 0; --slashes) {
      end = path.find('/', end);
      if (end == std::string_view::npos) return std::nullopt;
      ++end;
    }
    auto before = match_path(pattern, path.substr(0, end));
    if (before) before->emplace_back(path.substr(end));
    return before;
  }
  if (std::ranges::count(pattern, '/') != std::ranges::count(path, '/')) return std::nullopt;
  while (!pattern.empty() || !path.empty()) {
    const std::string_view wanted = next_part(pattern);
    const std::string_view part = next_part(path);
    if (is_wildcard(wanted) && !part.empty()) {
      captured.emplace_back(part);
    } else if (wanted != part) {
      return std::nullopt;
    }
  }
  return captured;
}

void RouteTable::add(Route route) {
  assert(std::ranges::none_of(routes_, [&](const Route& one) {
    return one.method == route.method && one.path == route.path;
  }));
  routes_.push_back(std::move(route));
}

RouteTable::Found RouteTable::find(Method method, std::string_view path) const {
  // A route for the rest of a path is for what has none of its own.
  const bool has_own = std::ranges::any_of(routes_, [&](const Route& route) {
    return !route.path.ends_with(kRest) && match_path(route.path, path);
  });
  Found found;
  bool has_get = false;
  std::vector<std::string_view> allowed;
  for (const Route& route : routes_) {
    if (has_own && route.path.ends_with(kRest)) continue;
    auto captured = match_path(route.path, path);
    if (!captured) continue;
    found.label = route.path;
    allowed.push_back(word_of(route.method));
    has_get = has_get || route.method == Method::kGet;
    const bool fits =
        route.method == method || (method == Method::kHead && route.method == Method::kGet);
    if (!fits || found.route != nullptr) continue;
    found.route = &route;
    found.captured = std::move(*captured);
  }
  if (allowed.empty()) return found;
  if (has_get) allowed.push_back(word_of(Method::kHead));
  allowed.push_back(word_of(Method::kOptions));
  for (const std::string_view word : allowed)
    found.allowed += (found.allowed.empty() ? "" : ", ") + std::string(word);
  return found;
}

}  // namespace airlock::http
