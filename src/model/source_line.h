// One line of a source, without the blanks around it: what a message shows under a place. The view
// is into `code`.
#pragma once

#include <cstdint>
#include <string_view>

namespace airlock {

// `number` counts from 1; empty when there is no such line.
inline std::string_view source_line(std::string_view code, std::uint32_t number) {
  for (std::uint32_t line = 1; line < number; ++line) {
    const std::size_t end = code.find('\n');
    if (end == std::string_view::npos) return {};
    code.remove_prefix(end + 1);
  }
  code = code.substr(0, code.find('\n'));
  const std::size_t start = code.find_first_not_of(" \t\r");
  if (number == 0 || start == std::string_view::npos) return {};
  return code.substr(start, code.find_last_not_of(" \t\r") + 1 - start);
}

}  // namespace airlock
