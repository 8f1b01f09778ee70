// JSON as it is written to stdout, which may be a terminal. Every JSON report of ours goes through
// here, so that none can drive the terminal that it is shown on.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace airlock::cli {

// Compact with `indent` -1. Text that is not UTF-8 gets U+FFFD for what cannot be written;
// characters that a terminal would obey or hide are written as \u escapes, so the same value is
// read back. Never throws.
std::string json_text(const nlohmann::ordered_json& value, int indent);

// A whole report: indented, with an end of line.
std::string json_page(const nlohmann::ordered_json& value);

// A report of ours without its line ends: between two values they are only there for readers.
std::string on_one_line(std::string json);

// Null when there is none.
nlohmann::ordered_json text_or_null(const std::optional<std::string>& text);

}  // namespace airlock::cli
