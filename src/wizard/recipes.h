// Fields that a rule cannot give and people ask for most: quarter and month ranges, month names,
// ISO weeks, fiscal years, dates from parts, encoded segments. Each recipe is a row of one table:
// the words that ask for it, the fields it needs, the Python it becomes. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/infer/infer.h"

namespace airlock::wizard {

// One recipe, applied to the fields of one layout.
struct ComputedPart {
  std::string_view recipe;             // its name
  std::vector<std::string> imports;    // "from datetime import date"
  std::vector<std::string> constants;  // lines at module level
  std::vector<std::string> lines;      // statements that read and set fields["…"]
  std::vector<std::string> outputs;    // the fields that they set
};

struct Computation {
  std::vector<ComputedPart> parts;
  std::vector<std::string> notes;  // what was assumed: "the fiscal year is taken to start in April"
  std::vector<std::string> missing;  // what was asked for and cannot be had, with the reason
};

// Whether the hint asks for something that is computed, whatever the paths hold.
bool asks_for_computed(std::string_view hint);

Computation compute_for(std::string_view hint, const rules::InferredRule& rule,
                        std::span<const std::string> samples);

// "quarter ranges, month ranges, …": for messages.
std::string recipe_names();

}  // namespace airlock::wizard
