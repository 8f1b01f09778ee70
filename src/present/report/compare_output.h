// What `airlock compare` and `airlock distill` print. In a Comparison the rule is on the left and
// Python on the right. Pure functions; everything from a path or a row is made printable here.
#pragma once

#include <string>

#include "engine/approve/distill.h"
#include "engine/compare/compare_rules.h"
#include "present/report/check_output.h"

namespace airlock::cli {

std::string comparison_as_text(const Comparison& comparison, Colour colour);
std::string comparison_as_json(const Comparison& comparison);

std::string distillation_as_json(const Distillation& distillation);

}  // namespace airlock::cli
