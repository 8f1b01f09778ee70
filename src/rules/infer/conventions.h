// Names that follow a published convention: satellite products, packages, pods, sequencing runs. A
// person who writes a rule for them uses the names of the convention, so a position whose values
// all follow one gets its fields. Used by column_plan.cc, before anything is guessed from the
// values.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace airlock::rules {

struct ConventionField {
  std::string_view name;
  std::string_view pattern;  // group 1 is the value
  std::string_view type;     // as in a rule; empty: what the values are
  std::string_view format;
};

// All texts are RE2 patterns but for `title` and `glob`.
struct Convention {
  std::string_view title;
  std::string_view whole;  // what a name must fit as a whole
  std::string_view glob;
  std::vector<ConventionField> fields;
};

// The convention that all of `segments` (distinct values of one position) follow; null for none.
const Convention* find_convention(std::span<const std::string_view> segments);

}  // namespace airlock::rules
