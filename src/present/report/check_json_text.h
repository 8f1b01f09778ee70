// JSON as it is written to stdout, which may be a terminal.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace airlock::cli {

// Compact with `indent` -1. Text that is not UTF-8 gets U+FFFD for what cannot be written;
// characters that a terminal would obey or hide are written as \u escapes, so the same value is
// read back. Never throws.
std::string json_text(const nlohmann::ordered_json& value, int indent);

// The same for text that is JSON already (a guest's result, whose numbers must keep their digits).
std::string escape_json(std::string text);

}  // namespace airlock::cli
