// What `airlock diff` prints: a Comparison with what was before on its left and what is after on
// its right. Pure functions. `before` and `after` are names for people: "sales@1", or a file.
#pragma once

#include <string>

#include "engine/compare/compare_rules.h"
#include "present/report/check_output.h"

namespace airlock::cli {

std::string diff_as_text(const Comparison& comparison, const std::string& before,
                         const std::string& after, Colour colour);
std::string diff_as_json(const Comparison& comparison, const std::string& before,
                         const std::string& after);

}  // namespace airlock::cli
