// Where each line of the cleaned code stands in the raw text it was taken from.
#pragma once

#include <cstdint>
#include <vector>

#include "model/finding.h"

namespace airlock {

struct RawLine {
  std::uint32_t line = 1;  // 1-based line of the raw text
  std::int32_t column =
      0;  // what to add to a cleaned column to get the raw one (a quote mark "> " gives 2)
};

// One entry per cleaned line; empty means "nothing was cut away": every line stands where it stood.
struct LineMap {
  std::vector<RawLine> lines;

  // The same place in the raw text. A line past the end maps to the last one.
  Place to_raw(Place place) const;
};

}  // namespace airlock
