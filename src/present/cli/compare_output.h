// What `airlock compare` and `airlock distill` print.
#pragma once

#include <string>

#include "engine/compare_rules.h"
#include "engine/distill.h"
#include "present/cli/check_output.h"

namespace airlock::cli {

std::string comparison_as_text(const Comparison& comparison, Colour colour);
std::string comparison_as_json(const Comparison& comparison);

std::string distillation_as_json(const Distillation& distillation);

}  // namespace airlock::cli
