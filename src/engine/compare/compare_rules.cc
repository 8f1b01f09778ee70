#include "engine/compare/compare_rules.h"

#include <nlohmann/json.hpp>

#include "engine/bulk/rule_rows.h"

namespace airlock {

namespace {

// As values: 1.0 and 1 are equal; "1" and 1 are not, and neither are true and 1.
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

// Only the first differences are kept; the counts go on.
void AnswerPairs::note(const std::string& path, std::string field, std::string left,
                       std::string right) {
  if (result_.differences.size() < shown_)
    result_.differences.push_back({path, std::move(field), std::move(left), std::move(right)});
}

void AnswerPairs::add(const std::string& path, const Answer& left, const Answer& right) {
  ++result_.paths;
  if (left.ok && right.ok) {
    ++result_.both_ok;
    add_fields(path, left, right);
  } else if (left.ok) {
    ++result_.only_left_ok;
    note(path, "", std::string(kARow), right.why_not);
  } else if (right.ok) {
    ++result_.only_right_ok;
    note(path, "", left.why_not, std::string(kARow));
  } else {
    ++result_.equal_rows;
  }
}

void AnswerPairs::add_fields(const std::string& path, const Answer& left, const Answer& right) {
  bool is_equal = true;
  for (const auto& [name, value] : left.fields) {
    FieldAgreement& agreement = result_.fields[name];
    const auto other = right.fields.find(name);
    if (other == right.fields.end()) {
      ++agreement.only_left;
      note(path, name, value, std::string(kNothing));
      // `continue`, so that whatever is not equal falls through to the line below.
    } else if (are_equal(value, other->second)) {
      ++agreement.equal;
      continue;
    } else {
      ++agreement.different;
      note(path, name, value, other->second);
    }
    is_equal = false;
  }
  for (const auto& [name, value] : right.fields) {
    if (left.fields.contains(name)) continue;
    ++result_.fields[name].only_right;
    note(path, name, std::string(kNothing), value);
    is_equal = false;
  }
  if (is_equal) ++result_.equal_rows;
}

Answer answer_of(const RowParts& row) {
  if (!row.ok) return {.why_not = row.error_type + ": " + row.error_message};
  return {.ok = true, .fields = fields_of(row.data)};
}

void Comparer::add(const RowParts& row) {
  Answer rule{.ok = matcher_.match(row.path, match_)};
  // Reasons and fields are only made when they will be looked at: most rows agree.
  if (row.ok && !rule.ok) rule.why_not = matcher_.describe_mismatch(match_);
  if (row.ok && rule.ok) rule.fields = fields_of(match_);
  pairs_.add(row.path, rule, answer_of(row));
}

}  // namespace airlock
