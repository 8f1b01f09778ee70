#include "model/line_map.h"

#include <algorithm>

namespace airlock {

namespace {

void move(std::uint32_t& line, std::uint32_t& column, const std::vector<RawLine>& lines) {
  // CPython reports some errors (an unexpected end) past the last line.
  const std::size_t index = std::clamp<std::size_t>(line, 1, lines.size()) - 1;
  line = lines[index].line;
  const std::int64_t moved = std::int64_t{column} + lines[index].column;
  column = static_cast<std::uint32_t>(std::max<std::int64_t>(0, moved));
}

}  // namespace

Place LineMap::to_raw(Place place) const {
  if (lines.empty()) return place;
  move(place.line, place.column, lines);
  move(place.end_line, place.end_column, lines);
  return place;
}

}  // namespace airlock
