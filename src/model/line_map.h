// Where each line of the cleaned code stands in the raw text it was taken from. Code is judged and
// run in its cleaned form; users see places in the text that they sent.
#pragma once

#include <cstdint>
#include <vector>

#include "model/finding.h"

namespace airlock {

struct RawLine {
  std::uint32_t line = 1;  // 1-based line of the raw text
  // What to add to a cleaned column to get the raw one, in bytes (a quote mark "> " gives 2).
  std::int32_t column = 0;
};

// One entry per cleaned line; empty means "nothing was cut away": every line stands where it stood.
struct LineMap {
  std::vector<RawLine> lines;

  // The same place in the raw text. A line past the end maps to the last one.
  Place to_raw(Place place) const;
};

}  // namespace airlock
