// JSON as it is kept and shown: compact, UTF-8, one line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace airlock {

// With its quotes. `text` is UTF-8. Controls are escaped, and so is what a terminal would obey or
// hide: C1 controls, line separators, bidirectional controls.
void append_json_string(std::string& out, std::string_view text);

void append_json_integer(std::string& out, std::int64_t value);
void append_json_natural(std::string& out, std::uint64_t value);
// The shortest form that reads back as the same double, and never as an integer. `value` is finite.
void append_json_number(std::string& out, double value);

}  // namespace airlock
