#include "engine/compare_rules.h"

#include <nlohmann/json.hpp>

#include "engine/rule_rows.h"

namespace airlock {

namespace {

// As values: 1.0 and 1 are equal, "1" and 1 are not.
bool are_equal(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const auto left = nlohmann::json::parse(a, nullptr, false);
  const auto right = nlohmann::json::parse(b, nullptr, false);
  return !left.is_discarded() && left == right && left.is_boolean() == right.is_boolean();
}

using Fields = std::map<std::string, std::string>;

Fields fields_of(const rules::Match& match) {
  Fields fields;
  for (std::size_t i = 0; i < match.values.size(); ++i) {
    std::string value;
    append_json_value(value, match.values[i]);
    if (value != "null") fields[match.rule->fields[i].name] = std::move(value);
  }
  return fields;
}

Fields fields_of(std::string_view data) {
  Fields fields;
  each_member(data, [&](std::string key, std::string_view value) {
    if (value != "null") fields[std::move(key)] = value;
  });
  return fields;
}

}  // namespace

void Comparer::note(const RowParts& row, std::string field, std::string rule, std::string python) {
  if (result_.differences.size() < shown_)
    result_.differences.push_back({row.path, std::move(field), std::move(rule), std::move(python)});
}

void Comparer::see(const RowParts& row) {
  ++result_.paths;
  const bool is_matched = matcher_.match(row.path, match_);
  if (is_matched && row.ok) {
    ++result_.both_ok;
    see_fields(row);
  } else if (is_matched) {
    ++result_.only_rule_ok;
    note(row, "", "a row", row.error_type + ": " + row.error_message);
  } else if (row.ok) {
    ++result_.only_python_ok;
    note(row, "", matcher_.describe_misfit(match_), "a row");
  } else {
    ++result_.equal_rows;
  }
}

void Comparer::see_fields(const RowParts& row) {
  const Fields rule = fields_of(match_);
  const Fields python = fields_of(row.data);
  bool is_equal = true;
  for (const auto& [name, value] : rule) {
    FieldAgreement& agreement = result_.fields[name];
    const auto other = python.find(name);
    if (other == python.end()) {
      ++agreement.only_rule;
      note(row, name, value, "nothing");
    } else if (are_equal(value, other->second)) {
      ++agreement.equal;
      continue;
    } else {
      ++agreement.different;
      note(row, name, value, other->second);
    }
    is_equal = false;
  }
  for (const auto& [name, value] : python) {
    if (rule.contains(name)) continue;
    ++result_.fields[name].only_python;
    note(row, name, "nothing", value);
    is_equal = false;
  }
  if (is_equal) ++result_.equal_rows;
}

}  // namespace airlock
