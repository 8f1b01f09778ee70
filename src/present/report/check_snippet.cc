// A line is cut into cells, one per character, each with the bytes it stands for and the columns it
// takes; the marker is measured on the same cells that are printed, so the two cannot part. Of a
// long line only the cells near the place are made, and of these a window is shown with … where
// something is left out.
#include "present/report/check_snippet.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/printable.h"
#include "present/report/check_place.h"

namespace airlock::cli {

namespace {

constexpr std::size_t kTabColumns = 4;
// Bytes on each side of the place that are looked at: no visible character takes more than four
// bytes for a column.
constexpr std::size_t kReach = 4 * kSnippetColumns;
constexpr std::string_view kCut = "…";
// Columns kept in front of a place that is itself too long for the window.
constexpr std::size_t kLead = 20;

struct SnippetCell {
  std::string text;
  std::size_t byte = 0;    // where the character starts in the line
  std::size_t column = 0;  // where the cell starts
  std::size_t columns = 0;
};

std::vector<SnippetCell> make_cells(std::string_view line, std::size_t from, std::size_t to) {
  std::vector<SnippetCell> cells;
  std::size_t column = 0;
  for (std::size_t at = from; at < to;) {
    Glyph glyph = glyph_at(line, at);
    if (line[at] == '\t') {
      glyph.columns = kTabColumns - column % kTabColumns;
      glyph.text.assign(glyph.columns, ' ');
    }
    cells.push_back({std::move(glyph.text), at, column, glyph.columns});
    column += glyph.columns;
    at += glyph.bytes;
  }
  return cells;
}

std::size_t width_of(const std::vector<SnippetCell>& cells) {
  return cells.empty() ? 0 : cells.back().column + cells.back().columns;
}

// The column of the first cell that starts at or after `byte`.
std::size_t column_at(const std::vector<SnippetCell>& cells, std::size_t byte) {
  const auto cell = std::ranges::lower_bound(cells, byte, {}, &SnippetCell::byte);
  return cell == cells.end() ? width_of(cells) : cell->column;
}

struct Window {
  std::size_t from = 0;  // columns
  std::size_t to = 0;
};

// Room for a … on each side is always kept free, so the window never depends on whether they are
// needed.
Window choose_window(std::size_t width, std::size_t begin, std::size_t end) {
  constexpr std::size_t kRoom = kSnippetColumns - 2;
  if (width <= kSnippetColumns) return {0, width};
  if (end <= kRoom) return {0, kRoom};
  // The place in the middle of the window if it fits, else its beginning with kLead columns before
  // it.
  const std::size_t marked = std::min(end - begin, kRoom);
  const std::size_t lead = std::max(std::min(kLead, kRoom - 1), (kRoom - marked) / 2);
  const std::size_t from = begin > lead ? begin - lead : 0;
  const std::size_t last = width > kRoom ? width - kRoom : 0;
  const std::size_t shown = std::min(from, last);
  return {shown, shown + kRoom};
}

// The cells that fit the window; `columns` is what they really cover, since a wide character is
// shown whole or not.
struct Shown {
  std::string text;
  Window columns;
  bool cut_left = false;
  bool cut_right = false;
};

Shown show(const std::vector<SnippetCell>& cells, Window window) {
  Shown shown;
  shown.columns = {window.from, window.from};
  for (const SnippetCell& cell : cells) {
    if (cell.column < window.from) {
      shown.cut_left = true;
      shown.columns = {cell.column + cell.columns, cell.column + cell.columns};
    } else if (cell.column + cell.columns > window.to) {
      shown.cut_right = true;
      break;
    } else {
      shown.text += cell.text;
      shown.columns.to = cell.column + cell.columns;
    }
  }
  return shown;
}

}  // namespace

Snippet draw_snippet(std::string_view line, std::size_t begin, std::size_t end) {
  begin = character_start(line, std::min(begin, line.size()));
  end = std::clamp(end, begin, line.size());
  const std::size_t from = begin > kReach ? character_start(line, begin - kReach) : 0;
  const std::size_t to =
      line.size() - begin > kReach ? character_start(line, begin + kReach) : line.size();
  const std::vector<SnippetCell> cells = make_cells(line, from, to);
  const std::size_t marker_begin = column_at(cells, begin);
  const std::size_t marker_end = std::max(column_at(cells, std::min(end, to)), marker_begin);

  Shown shown = show(cells, choose_window(width_of(cells), marker_begin, marker_end));
  const bool cut_left = shown.cut_left || from > 0;
  const bool cut_right = shown.cut_right || to < line.size();
  const auto inside = [&](std::size_t column) {
    return std::clamp(column, shown.columns.from, shown.columns.to) - shown.columns.from;
  };
  Snippet snippet;
  snippet.source = fmt::format("{}{}{}", cut_left ? kCut : "", shown.text, cut_right ? kCut : "");
  snippet.indent = inside(marker_begin) + (cut_left ? 1 : 0);
  snippet.marker = std::max<std::size_t>(1, inside(marker_end) - inside(marker_begin));
  return snippet;
}

}  // namespace airlock::cli
