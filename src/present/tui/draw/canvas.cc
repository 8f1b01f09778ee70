// Cells never overlap: a wide character owns its cell and an empty one to its right, and whoever
// writes on half of it blanks the other half (blank). Clipping happens in put() alone.
#include "present/tui/draw/canvas.h"

#include <algorithm>

namespace airlock::tui {

namespace {

Area common(const Area& one, const Area& other) {
  const int left = std::max(one.left, other.left);
  const int top = std::max(one.top, other.top);
  return {left, top, std::max(0, std::min(one.right(), other.right()) - left),
          std::max(0, std::min(one.bottom(), other.bottom()) - top)};
}

bool holds(const Area& area, int x, int y) {
  return x >= area.left && x < area.right() && y >= area.top && y < area.bottom();
}

}  // namespace

std::size_t columns_of(const Line& line, Charset charset) {
  std::size_t columns = 0;
  for (const InkSpan& span : line) columns += columns_of(span.text, charset);
  return columns;
}

Area Area::inset(int columns, int rows) const {
  return {left + columns, top + rows, std::max(0, width - 2 * columns),
          std::max(0, height - 2 * rows)};
}

Area Area::first_rows(int rows) const {
  return {left, top, width, std::clamp(rows, 0, height)};
}

Area Area::last_rows(int rows) const {
  const int taken = std::clamp(rows, 0, height);
  return {left, bottom() - taken, width, taken};
}

Area Area::without_first(int rows) const {
  return last_rows(height - std::clamp(rows, 0, height));
}

Area Area::without_last(int rows) const {
  return first_rows(height - std::clamp(rows, 0, height));
}

Canvas::Canvas(Size size, Charset charset)
    : size_{std::max(0, size.width), std::max(0, size.height)},
      charset_(charset),
      cells_(static_cast<std::size_t>(size_.width) * static_cast<std::size_t>(size_.height)) {}

const CanvasCell& Canvas::at(Point place) const {
  static const CanvasCell kOutside;
  if (!holds(area(), place.x, place.y)) return kOutside;
  return cells_[static_cast<std::size_t>(place.y) * static_cast<std::size_t>(size_.width) +
                static_cast<std::size_t>(place.x)];
}

// A wide character that loses one half loses the other one too.
void Canvas::blank(int x, int y, Ink ink) {
  if (cell(x, y).columns == 0 && x > 0) cell(x - 1, y) = {" ", 1, cell(x - 1, y).ink};
  if (cell(x, y).columns == 2 && x + 1 < size_.width) cell(x + 1, y) = {" ", 1, ink};
  cell(x, y) = {" ", 1, ink};
}

void Canvas::set(int x, int y, std::string text, int columns, Ink ink) {
  blank(x, y, ink);
  if (columns == 2) {
    blank(x + 1, y, ink);
    cell(x + 1, y) = {"", 0, ink};
  }
  cell(x, y) = {std::move(text), static_cast<std::uint8_t>(columns), ink};
}

int Canvas::put(const Area& clip, Point place, std::string_view text, Ink ink, int skip) {
  const Area inside = common(clip, area());
  // May begin left of the place: what is scrolled out is measured and not drawn.
  int x = place.x - skip;
  const int limit = inside.right();
  for (std::size_t at = 0; at < text.size();) {
    Cluster cluster = cluster_at(text, at, charset_);
    at += cluster.bytes;
    const int columns = static_cast<int>(cluster.columns);
    // Behind the right edge only the width is still counted, for the caller's scroll bar.
    if (x >= limit) {
      x += columns;
      continue;
    }
    const auto is_visible = [&](int column) {
      return column >= place.x && holds(inside, column, place.y);
    };
    if (columns <= 2 && cluster.text.size() > 2) {
      // One character. A wide one that does not fit whole leaves a space.
      const bool fits = is_visible(x) && is_visible(x + columns - 1);
      for (int column = x; !fits && column < x + columns; ++column) {
        if (is_visible(column)) blank(column, place.y, ink);
      }
      if (fits) set(x, place.y, std::move(cluster.text), columns, ink);
    } else if (columns == 1) {
      if (is_visible(x)) set(x, place.y, std::move(cluster.text), 1, ink);
    } else {
      // Spelt out: plain letters.
      for (int i = 0; i < columns && i < static_cast<int>(cluster.text.size()); ++i) {
        if (is_visible(x + i)) set(x + i, place.y, std::string(1, cluster.text[i]), 1, ink);
      }
    }
    x += columns;
  }
  return x - place.x + skip;
}

int Canvas::put(const Area& clip, Point place, const Line& line, int skip) {
  int used = 0;
  for (const InkSpan& span : line) {
    // What is scrolled out of the first spans is taken from `skip` span by span.
    const int hidden = std::max(0, skip - used);
    const int x = place.x + std::max(0, used - skip);
    used += put(clip, {x, place.y}, span.text, span.ink, hidden);
  }
  return used;
}

void Canvas::ink_row(const Area& clip, int y, Ink ink) {
  const Area inside = common(clip, area());
  for (int x = inside.left; x < inside.right(); ++x) {
    if (holds(inside, x, y)) cell(x, y).ink = ink;
  }
}

void Canvas::clear(const Area& where, Ink ink) {
  const Area inside = common(where, area());
  for (int y = inside.top; y < inside.bottom(); ++y) {
    for (int x = inside.left; x < inside.right(); ++x) blank(x, y, ink);
  }
}

void Canvas::place_cursor(const Area& clip, Point place) {
  const Area inside = common(clip, area());
  if (inside.is_empty()) return;
  cursor_ = Point{std::clamp(place.x, inside.left, inside.right() - 1),
                  std::clamp(place.y, inside.top, inside.bottom() - 1)};
}

std::string Canvas::text() const {
  std::string out;
  for (int y = 0; y < size_.height; ++y) {
    std::string row;
    for (int x = 0; x < size_.width; ++x) row += at({x, y}).text;
    const std::size_t last = row.find_last_not_of(' ');
    out.append(row, 0, last == std::string::npos ? 0 : last + 1);
    out += '\n';
  }
  return out;
}

}  // namespace airlock::tui
