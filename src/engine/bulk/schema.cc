#include "engine/bulk/schema.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_set>

namespace airlock {

namespace {

// What every table has beside the fields.
constexpr std::array<std::string_view, 4> kTableColumns = {"path", "ok", "error", "rule"};
constexpr std::string_view kTagsColumn = "tags";
// Names that were left out are counted up to here: an extractor may use values as names.
constexpr std::size_t kMostCounted = 100'000;

bool is_text_like(ColumnType type) {
  return type == ColumnType::kText || type == ColumnType::kDate || type == ColumnType::kDatetime;
}

bool is_numeric(ColumnType type) {
  return type == ColumnType::kInteger || type == ColumnType::kNumber;
}

// The narrowest type that holds the values of both.
ColumnType joined(ColumnType a, ColumnType b) {
  if (a == b) return a;
  if (is_numeric(a) && is_numeric(b)) return ColumnType::kNumber;
  if (is_text_like(a) && is_text_like(b)) return ColumnType::kText;
  return ColumnType::kJson;
}

ColumnType type_of_number(std::string_view json) {
  if (json.find_first_of(".eE") != std::string_view::npos) return ColumnType::kNumber;
  std::int64_t value = 0;
  const auto read = std::from_chars(json.data(), json.data() + json.size(), value);
  const bool fits = read.ec == std::errc() && read.ptr == json.data() + json.size();
  return fits ? ColumnType::kInteger : ColumnType::kJson;
}

// Of a value that is not null.
ColumnType type_of_json(std::string_view json) {
  switch (json.empty() ? '\0' : json.front()) {
    case '"':
      return ColumnType::kText;
    case 't':
    case 'f':
      return ColumnType::kBoolean;
    case '{':
    case '[':
      return ColumnType::kJson;
    default:
      return type_of_number(json);
  }
}

ColumnType type_of_field(rules::ValueType type) {
  switch (type) {
    case rules::ValueType::kInteger:
      return ColumnType::kInteger;
    case rules::ValueType::kFloat:
      return ColumnType::kNumber;
    case rules::ValueType::kBoolean:
      return ColumnType::kBoolean;
    case rules::ValueType::kDate:
      return ColumnType::kDate;
    case rules::ValueType::kDatetime:
      return ColumnType::kDatetime;
    case rules::ValueType::kString:
    case rules::ValueType::kUuid:
      break;
  }
  return ColumnType::kText;
}

// A field that is called like a column of the table itself, or like the new name of another one,
// gets a name that is free.
void name_columns(std::vector<Column>& columns, bool has_tags) {
  std::unordered_set<std::string_view> taken(kTableColumns.begin(), kTableColumns.end());
  if (has_tags) taken.insert(kTagsColumn);
  const std::unordered_set<std::string_view> reserved = taken;
  for (const Column& column : columns) taken.insert(column.field);
  for (Column& column : columns) {
    column.name = column.field;
    if (!reserved.contains(column.field)) continue;
    while (taken.contains(column.name)) column.name.insert(0, "field_");
    taken.insert(column.name);
  }
  if (!has_tags) return;
  const std::string tags(kTagsColumn);
  columns.push_back({.name = tags, .field = tags, .type = ColumnType::kJson, .nullable = true});
}

}  // namespace

std::string_view name_of(ColumnType type) {
  constexpr std::array<std::string_view, 7> kNames = {"text", "integer",  "number", "boolean",
                                                      "date", "datetime", "json"};
  return kNames[static_cast<std::size_t>(type)];
}

Schema schema_of_rules(std::span<const rules::PathRule> rules) {
  struct Known {
    std::size_t place = 0;
    std::size_t rules = 0;  // that have the field
  };
  Schema found;
  std::unordered_map<std::string_view, Known> known;
  bool has_tags = false;
  for (const rules::PathRule& rule : rules) {
    has_tags = has_tags || !rule.tags.empty() || !rule.tag_conditions.empty();
    for (const rules::RuleField& field : rule.fields) {
      const ColumnType type = type_of_field(field.type);
      const auto [one, is_new] = known.try_emplace(field.name, Known{found.columns.size(), 0});
      ++one->second.rules;
      if (is_new) found.columns.push_back({.name = {}, .field = field.name, .type = type});
      Column& column = found.columns[one->second.place];
      column.type = joined(column.type, type);
      column.nullable = column.nullable ||
                        (field.fallback && field.fallback->kind == rules::FieldValue::Kind::kNull);
    }
  }
  for (Column& column : found.columns)
    column.nullable = column.nullable || known[column.field].rules < rules.size();
  if (found.columns.size() > Schema::kMost) {
    found.left_out = found.columns.size() - Schema::kMost;
    found.columns.resize(Schema::kMost);
  }
  name_columns(found.columns, has_tags);
  return found;
}

void SchemaFinder::see(const RowParts& row) {
  if (!row.ok) return;
  ++rows_;
  has_tags_ = has_tags_ || !row.tags.empty();
  each_member(row.data,
              [this](const std::string& key, std::string_view value) { see(key, value); });
}

void SchemaFinder::see(std::string_view key, std::string_view value) {
  const std::string name(key);
  auto place = places_.find(name);
  if (place == places_.end()) {
    if (fields_.size() == Schema::kMost) {
      if (left_out_.size() < kMostCounted) left_out_.insert(name);
      return;
    }
    place = places_.emplace(name, fields_.size()).first;
    fields_.push_back({.name = name});
  }
  if (value == "null") return;
  Field& field = fields_[place->second];
  ++field.filled;
  const ColumnType type = type_of_json(value);
  field.type = field.has_type ? joined(field.type, type) : type;
  field.has_type = true;
}

Schema SchemaFinder::schema() const {
  Schema found;
  found.left_out = left_out_.size();
  for (const Field& field : fields_)
    found.columns.push_back(
        {.name = {}, .field = field.name, .type = field.type, .nullable = field.filled < rows_});
  name_columns(found.columns, has_tags_);
  return found;
}

Schema schema_of_rows(std::string_view rows) {
  SchemaFinder finder;
  while (!rows.empty()) {
    const std::size_t end = std::min(rows.find('\n'), rows.size());
    if (const auto row = take_apart(rows.substr(0, end))) finder.see(*row);
    rows.remove_prefix(std::min(end + 1, rows.size()));
  }
  return finder.schema();
}

}  // namespace airlock
