// One source line with a place on it, as it is drawn in a terminal: what to print, and where the
// marker goes below it. The line may be any bytes of any length; what is printed is safe and short.
// Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace airlock::cli {

inline constexpr std::size_t kSnippetColumns = 100;

struct Snippet {
  std::string source;      // safe to show, at most kSnippetColumns wide
  std::size_t indent = 0;  // columns before the marker
  std::size_t marker = 1;  // columns of the marker; at least one
};

// `begin` and `end` are bytes of `line`; any numbers are taken, the nearest place is marked. The
// cost does not grow with the length of the line.
Snippet draw_snippet(std::string_view line, std::size_t begin, std::size_t end);

}  // namespace airlock::cli
