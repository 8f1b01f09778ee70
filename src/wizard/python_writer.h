// Inferred rules, and what is computed from their fields, as a Python extractor that a person would
// not mind to read. It gives what the rules give, and the computed fields. The text is untrusted
// like any other: it is vetted and run on the samples before anyone sees it as a result. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/infer/infer.h"
#include "wizard/recipes.h"

namespace airlock::wizard {

struct ProgramLayout {
  rules::InferredRule rule;
  Computation computation;
};

std::string write_python(std::span<const ProgramLayout> layouts);

// A glob of a rule as a Python regular expression for the whole path, segments joined by "/".
std::string python_pattern_of_glob(std::string_view glob);
// As a Python string literal on one line; raw where that reads better.
std::string python_literal(std::string_view text);

}  // namespace airlock::wizard
