// What `airlock compare` and `airlock distill` print.
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
