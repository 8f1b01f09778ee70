// What `airlock compare`, `airlock distill` and `airlock diff` print. Pure functions; everything
// from a path or a row is made printable here.
#pragma once

#include <string>

#include "engine/approve/distill.h"
#include "engine/compare/compare_rules.h"
#include "present/report/style.h"

namespace airlock::cli {

// A rule on the left, Python on the right.
std::string comparison_as_text(const Comparison& comparison, Colour colour);
std::string comparison_as_json(const Comparison& comparison);

std::string distillation_as_json(const Distillation& distillation);

// What was before on the left, what is after on the right. `before` and `after` are names for
// people: "sales@1", or a file.
std::string diff_as_text(const Comparison& comparison, const std::string& before,
                         const std::string& after, Colour colour);
std::string diff_as_json(const Comparison& comparison, const std::string& before,
                         const std::string& after);

}  // namespace airlock::cli
