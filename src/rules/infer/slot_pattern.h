// How what stands in one place of a path is written in a regular expression or a glob. Used by
// column_plan.cc to spell a column's pieces.
#pragma once

#include <string>
#include <string_view>

#include "rules/infer/token_layout.h"

namespace airlock::rules {

// What the values of a slot fit, without anchors or group; `next_literal` is what follows it.
std::string slot_pattern(const LayoutPiece& slot, std::string_view next_literal);

// As text inside a regular expression.
std::string quote_pattern(std::string_view literal);
// As text inside a glob.
std::string quote_glob(std::string_view literal);

}  // namespace airlock::rules
