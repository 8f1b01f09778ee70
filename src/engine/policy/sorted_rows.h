// Rows are modules, builtins or refusals: whatever a policy lists by name. Lists are sorted by it.
#pragma once

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace airlock {

template <typename Rows>
std::vector<std::string_view> names_of(const Rows& rows) {
  std::vector<std::string_view> names;
  for (const auto& row : rows) names.push_back(row.name);
  return names;
}

template <typename Row>
Row* find_row(std::vector<Row>& rows, std::string_view name) {
  const auto found = std::ranges::find(rows, name, &Row::name);
  return found == rows.end() ? nullptr : &*found;
}

template <typename Row>
void erase_row(std::vector<Row>& rows, std::string_view name) {
  std::erase_if(rows, [&](const Row& row) { return row.name == name; });
}

// Keeps the order of the names; an older row of the same name gives way.
template <typename Row>
Row& put_row(std::vector<Row>& rows, Row row) {
  erase_row(rows, row.name);
  const auto place = std::ranges::lower_bound(rows, row.name, {}, &Row::name);
  return *rows.insert(place, std::move(row));
}

}  // namespace airlock
