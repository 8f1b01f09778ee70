// One position of a layout: what the glob says there, and the fields that its values give. The step
// of inference (infer.h) between aligned text (token_layout.h) and a finished rule; infer.cc may
// still rename the fields when it has seen the other positions.
//
// Pure. Plans borrow from the values.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/infer/slot_pattern.h"
#include "rules/infer/token_class.h"

namespace airlock::rules {

// A field that this position could give. Later steps may rename or drop it.
struct ProposedField {
  std::string name;
  // By a neighbour, a vocabulary or a convention; else by its class alone.
  bool is_well_named = false;
  TokenClass what = TokenClass::kText;
  ValueType type = ValueType::kString;
  std::string format;
  std::string pattern;                   // empty: the whole segment
  std::vector<std::string_view> values;  // one for each path of the layout
  std::string evidence;                  // why it is called so, for a reader
  std::string hive_key;  // taken by hive(KEY), and null where a partition has no value
};

struct ColumnPlan {
  std::string glob;
  std::vector<ProposedField> fields;
  TokenClass what = TokenClass::kText;  // of the segments as a whole
  bool is_constant = false;
};

// What stands around a position.
struct ColumnPlace {
  bool is_filename = false;
  std::string_view folder_above;  // when it is the same in every path; else empty
  // Values of other positions, path by path: a file name often repeats them.
  std::vector<std::vector<std::string_view>> others;
};

// `values`: one for each path of the layout.
ColumnPlan plan_column(std::span<const std::string_view> values, const ColumnPlace& place);

}  // namespace airlock::rules
