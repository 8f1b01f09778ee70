// Paths in, rules out, without a model. Pure and deterministic: the same paths in the same order
// give the same rules. Called by engine (paths, approve) with a sample of a few thousand paths at
// most.
//
// Method:
//   1. Paths are grouped into layouts: paths whose segments can be compared position by position
//      (layouts.h).
//   2. In a layout, each position is a column of values. What all values share is literal text in
//      the glob; what varies becomes fields (token_layout.h, column_plan.h).
//   3. The type of a field is the most specific class that all values of a column share
//      (token_class.h): one value says little, 2024 is a year if all its neighbours are.
//   4. Names come from the surroundings: hints, known trees and conventions, the folder above, the
//      word in front, the values themselves (vocabulary.h, conventions.h).
// The rules are written as YAML by rule_text.h, and that text must read back to the same rules.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/infer/column_plan.h"

namespace airlock::rules {

// segment(-3) = mission_id, read from what a person wrote (hints.h).
struct NameHint {
  int index = 0;  // as in segment(N)
  std::string name;
  bool is_exact = true;  // words ("the mission") may become mission_id
};

// One entry of `extract:`, as text that rule_text.h can write; nothing is compiled yet.
struct InferredField {
  std::string name;
  std::string from;
  std::string pattern;
  ValueType type = ValueType::kString;
  std::string format;
  TokenClass what = TokenClass::kText;
  bool is_well_named = false;
  std::string evidence;      // why it has this name, for a reader: "hint", "key=value"
  std::size_t distinct = 0;  // different values in the sample
  std::vector<std::string> examples;
  bool is_optional = false;
};

// A rule as text, and how it came about. It has been tried on no path yet.
struct InferredRule {
  std::string name;
  std::string glob;
  std::vector<InferredField> fields;
  std::size_t paths = 0;  // of the sample
  bool is_deep = false;
  bool says_something = false;  // a word in its glob, or a field that is more than text
};

struct Inference {
  std::vector<InferredRule> rules;
  std::vector<std::string> notes;  // what a reader should know: mixed types in one position
};

// More layouts than this are no structure that a person would want to maintain as rules.
inline constexpr std::size_t kMostInferredRules = 50;

// `paths` is not empty. A layout of fewer than `least` paths gets no rule; 0: unless it is a good
// part of all.
Inference infer_rules(std::span<const std::string_view> paths, std::span<const NameHint> hints,
                      std::size_t least = 0);

}  // namespace airlock::rules
