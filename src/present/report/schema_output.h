// The columns of a table as JSON, for programs.
#pragma once

#include <cstdint>
#include <string>

#include "engine/bulk/schema.h"

namespace airlock::cli {

// {"said_by": "rules|rows", "columns": [{"name", "field", "type", "nullable"}]} on one line;
// "columns_left_out" when there are too many.
enum class SaidBy : std::uint8_t { kRules, kRows };
std::string schema_as_json(const Schema& schema, SaidBy said_by);

}  // namespace airlock::cli
