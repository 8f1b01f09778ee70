// Where a string of JSON ends, in text that may be anything. Whether it is one that JSON allows is
// not asked here.
#pragma once

#include <cstddef>
#include <string_view>

namespace airlock {

// Behind the closing quote of the string whose opening quote is at `at`; npos: it does not end.
inline std::size_t behind_json_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      return at + 1;
    }
  }
  return std::string_view::npos;
}

}  // namespace airlock
