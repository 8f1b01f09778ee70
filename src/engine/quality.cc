// quality_warnings: what is allowed but probably not meant.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/validate.h"

namespace airlock {

namespace {

using nlohmann::ordered_json;

bool is_identifier(const std::string& name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
  return std::ranges::all_of(name, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9');
  });
}

std::string type_name(const ordered_json& value) {
  if (value.is_string()) return "str";
  if (value.is_boolean()) return "bool";
  if (value.is_number_float()) return "float";
  if (value.is_number()) return "int";
  if (value.is_array()) return "list";
  return value.is_object() ? "dict" : "None";
}

}  // namespace

std::vector<std::string> quality_warnings(const std::vector<SampleResult>& results) {
  std::vector<std::string> warnings;
  std::vector<ordered_json> values;
  for (const SampleResult& one : results) {
    if (one.success) values.push_back(ordered_json::parse(one.result, nullptr, false));
  }
  if (values.empty()) return {"All extractions failed"};
  if (std::ranges::all_of(values, [](const ordered_json& value) { return value.empty(); })) {
    warnings.emplace_back("All successful extractions returned empty dict");
  }
  std::set<std::string> odd_names;
  std::map<std::string, std::set<std::string>> types;
  std::map<std::string, std::size_t> counts;
  std::size_t filled = 0;
  for (const ordered_json& value : values) {
    filled += value.empty() ? 0 : 1;
    for (const auto& [key, item] : value.items()) {
      if (!is_identifier(key) && odd_names.insert(key).second) {
        warnings.push_back("Field name '" + key + "' is not a valid Python identifier");
      }
      ++counts[key];
      if (!item.is_null()) types[key].insert(type_name(item));
    }
  }
  for (const auto& [key, names] : types) {
    if (names.size() < 2) continue;
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : " and ") + name;
    warnings.push_back("Field '" + key + "' has different types in different samples: " + list);
  }
  for (const auto& [key, count] : counts) {
    if (count < filled) {
      warnings.push_back("Field '" + key + "' is missing in " + std::to_string(filled - count) +
                         " of " + std::to_string(filled) + " non-empty results");
    }
  }
  return warnings;
}

}  // namespace airlock
