// The columns that a table of rows has: one for each field, with a type that holds all its values.
// The one place that says so, for whoever makes tables: data frames of the Python package, typed
// files.
//
// Rules say the types of their fields. Of Python nothing is known before it has answered: there the
// rows themselves say it, and more rows can widen a column (SchemaFinder takes them one by one).
// Schema stand in the order in which fields first appear. Pure: rows in, columns out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/bulk/row_parts.h"
#include "rules/match/path_rule.h"

namespace airlock {

enum class ColumnType : std::uint8_t {
  kText,
  kInteger,  // of 64 bits
  kNumber,   // integers and floats
  kBoolean,
  kDate,      // 2024-03-31; only rules say so
  kDatetime,  // 2024-03-31T08:00:00; only rules say so
  kJson,      // lists, objects, integers of more than 64 bits, and values of several kinds
};

// "text", "integer", "number", "boolean", "date", "datetime", "json".
std::string_view name_of(ColumnType type);

struct Column {
  std::string name;   // of the column: that of the field, or field_NAME where a table has its own
  std::string field;  // its key in the data; "tags" of rules that have tags
  ColumnType type = ColumnType::kText;
  bool nullable = false;  // a row that is ok may have null here, or not have it at all

  bool operator==(const Column&) const = default;
};

struct Schema {
  static constexpr std::size_t kMost = 1000;

  std::vector<Column> columns;
  std::size_t left_out = 0;  // fields after the first kMost: keys that are values, as it seems
};

// Those of a set of rules, for any path.
Schema schema_of_rules(std::span<const rules::PathRule> rules);

// Those of rows that are seen one after the other. Rows that are not ok have no fields.
class SchemaFinder {
 public:
  void see(const RowParts& row);
  Schema schema() const;

 private:
  struct Field {
    std::string name;
    bool has_type = false;
    ColumnType type = ColumnType::kText;
    std::size_t filled = 0;  // rows in which it is there and not null
  };
  void see(std::string_view key, std::string_view value);

  std::vector<Field> fields_;  // as they first appeared
  std::unordered_map<std::string, std::size_t> places_;
  std::unordered_set<std::string> left_out_;
  std::size_t rows_ = 0;  // that are ok
  bool has_tags_ = false;
};

// Of lines as engine/bulk/rows.h writes them. A line that is none is passed over.
Schema schema_of_rows(std::string_view rows);

}  // namespace airlock
