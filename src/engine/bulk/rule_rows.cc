#include "engine/bulk/rule_rows.h"

#include "base/json_writer.h"
#include "engine/bulk/rows.h"

namespace airlock {

void append_json_value(std::string& out, const rules::FieldValue& value) {
  using Kind = rules::FieldValue::Kind;
  switch (value.kind) {
    case Kind::kNull:
      out += "null";
      return;
    case Kind::kText:
      append_json_string(out, value.text);
      return;
    case Kind::kInteger:
      append_json_integer(out, value.integer);
      return;
    case Kind::kFloat:
      append_json_number(out, value.real);
      return;
    case Kind::kBoolean:
      out += value.boolean ? "true" : "false";
      return;
    case Kind::kDate:
      out += '"';
      rules::append_date(out, value.time);
      out += '"';
      return;
    case Kind::kDatetime:
      out += '"';
      rules::append_datetime(out, value.time);
      out += '"';
      return;
  }
}

void append_json_data(std::string& out, const rules::Match& match) {
  out += '{';
  for (std::size_t i = 0; i < match.rule->fields.size(); ++i) {
    if (i > 0) out += ',';
    append_json_string(out, match.rule->fields[i].name);
    out += ':';
    append_json_value(out, match.values[i]);
  }
  out += '}';
}

void append_tags(std::string& out, const rules::Match& match) {
  const rules::PathRule& rule = *match.rule;
  if (rule.tags.empty() && rule.tag_conditions.empty()) return;
  out += R"(, "tags": [)";
  bool is_first = true;
  const auto add = [&](std::string_view tag) {
    if (!is_first) out += ',';
    is_first = false;
    append_json_string(out, tag);
  };
  for (const std::string& tag : rule.tags) add(tag);
  for (const rules::TagCondition& one : rule.tag_conditions) {
    if (one.condition.holds(match.values)) add(one.tag);
  }
  out += ']';
}

// The text before each value: `, "ok": true, "data": {"a":` before the first, `,"b":` before
// others.
RuleRows::RuleRows(const rules::Matcher& matcher) : matcher_(matcher) {
  for (const rules::PathRule& rule : matcher.rules()) {
    Texts& texts = texts_.emplace_back();
    texts.has_tags = !rule.tags.empty() || !rule.tag_conditions.empty();
    texts.end = rule.fields.empty() ? R"(, "ok": true, "data": {})" : "}";
    for (const rules::RuleField& field : rule.fields) {
      std::string& key =
          texts.keys.emplace_back(texts.keys.empty() ? R"(, "ok": true, "data": {)" : ",");
      append_json_string(key, field.name);
      key += ':';
    }
  }
}

bool RuleRows::append(std::string& out, std::string_view path, rules::Match& scratch) const {
  if (!matcher_.match(path, scratch)) {
    // The path fits, a value in it does not: named after what Python code would raise.
    const bool is_value = scratch.mismatch.kind == rules::Mismatch::Kind::kType ||
                          scratch.mismatch.kind == rules::Mismatch::Kind::kBounds;
    append_failed_row(out, path, is_value ? "ValueError" : "NoMatch",
                      matcher_.describe_mismatch(scratch));
    return false;
  }
  out += R"({"path": )";
  append_json_string(out, path);
  const Texts& texts = texts_[static_cast<std::size_t>(scratch.rule - matcher_.rules().data())];
  for (std::size_t i = 0; i < texts.keys.size(); ++i) {
    out += texts.keys[i];
    append_json_value(out, scratch.values[i]);
  }
  out += texts.end;
  if (texts.has_tags) append_tags(out, scratch);
  out += "}\n";
  return true;
}

}  // namespace airlock
