#include "present/tui/screens/pane.h"

#include <fmt/format.h>

#include <algorithm>

namespace airlock::tui {

namespace {

// One row of a box, from corner to corner.
void draw_edge(Canvas& canvas, const Area& area, int y, std::string_view left,
               std::string_view middle, std::string_view right, Ink ink) {
  canvas.put(area, {area.left, y}, left, ink);
  for (int x = area.left + 1; x < area.right() - 1; ++x) canvas.put(area, {x, y}, middle, ink);
  canvas.put(area, {area.right() - 1, y}, right, ink);
}

void draw_scroll_bar(Canvas& canvas, const Area& box, const Glyphs& glyphs, const Extent& extent,
                     std::size_t top) {
  if (extent.rows <= extent.page_rows || extent.page_rows == 0) return;
  // The thumb is to the bar what the page is to the text; its place is that of the page. At the
  // last page it touches the end.
  const std::size_t length =
      std::max<std::size_t>(1, extent.page_rows * extent.page_rows / extent.rows);
  const std::size_t room = extent.page_rows - length;
  const std::size_t begin = room * top / (extent.rows - extent.page_rows);
  for (std::size_t row = begin; row < begin + length; ++row) {
    canvas.put(box, {box.right() - 1, box.top + 1 + static_cast<int>(row)}, glyphs.thumb,
               Ink::kMuted);
  }
  const std::string place = fmt::format(" {}-{} of {} ", top + 1,
                                        std::min(extent.rows, top + extent.page_rows), extent.rows);
  const int x = box.right() - 2 - static_cast<int>(place.size());
  if (x > box.left + 1) canvas.put(box, {x, box.bottom() - 1}, place, Ink::kMuted);
}

}  // namespace

Area draw_box(Canvas& canvas, const Area& area, const Glyphs& glyphs, std::string_view title,
              Ink ink) {
  // Two columns and one row on each side are border and padding.
  if (area.width < 4 || area.height < 3) return area;
  draw_edge(canvas, area, area.top, glyphs.top_left, glyphs.horizontal, glyphs.top_right, ink);
  for (int y = area.top + 1; y < area.bottom() - 1; ++y) {
    canvas.put(area, {area.left, y}, glyphs.vertical, ink);
    canvas.put(area, {area.right() - 1, y}, glyphs.vertical, ink);
  }
  draw_edge(canvas, area, area.bottom() - 1, glyphs.bottom_left, glyphs.horizontal,
            glyphs.bottom_right, ink);
  if (!title.empty()) {
    // Corner, one line and a space on each side of the title.
    const std::size_t room = static_cast<std::size_t>(std::max(0, area.width - 6));
    const std::string name = ' ' + cut_end(title, room, glyphs.ellipsis, canvas.charset()) + ' ';
    canvas.put(area, {area.left + 2, area.top}, name,
               ink == Ink::kBorder ? Ink::kStrong : Ink::kTitle);
  }
  return area.inset(2, 1);
}

Extent draw_pane(Canvas& canvas, const Area& area, const Glyphs& glyphs, const PaneText& text,
                 PaneScroll scroll, Focus focus) {
  // Without colours the focus has to be seen too.
  const std::string title =
      focus == Focus::kYes ? fmt::format("{} {}", glyphs.bullet, text.title) : text.title;
  const Area inside =
      draw_box(canvas, area, glyphs, title, focus == Focus::kYes ? Ink::kFocus : Ink::kBorder);
  Extent extent;
  extent.rows = text.lines.size();
  extent.page_rows = static_cast<std::size_t>(std::max(0, inside.height));
  extent.page_columns = static_cast<std::size_t>(std::max(0, inside.width));
  for (const Line& line : text.lines) {
    extent.columns = std::max(extent.columns, columns_of(line, canvas.charset()));
  }
  const std::size_t last = extent.rows > extent.page_rows ? extent.rows - extent.page_rows : 0;
  const std::size_t top = std::min(scroll.top, last);
  for (int row = 0; row < inside.height; ++row) {
    const std::size_t index = top + static_cast<std::size_t>(row);
    if (index >= text.lines.size()) break;
    const int used = canvas.put(inside, {inside.left, inside.top + row}, text.lines[index],
                                static_cast<int>(scroll.left));
    // The line goes on to the right: a sign in the padding says so.
    if (used - static_cast<int>(scroll.left) > inside.width && area.width > inside.width) {
      canvas.put(area, {inside.right(), inside.top + row}, glyphs.more, Ink::kMuted);
    }
  }
  if (area.width > inside.width) draw_scroll_bar(canvas, area, glyphs, extent, top);
  return extent;
}

std::vector<Line> wrapped(std::string_view text, int columns, Charset charset, Ink ink) {
  std::vector<Line> lines;
  for (std::string& row : wrap(text, static_cast<std::size_t>(std::max(1, columns)), charset)) {
    lines.push_back({InkSpan{std::move(row), ink}});
  }
  return lines;
}

// Without room left the row is empty, and nothing is drawn.
void ScreenFlow::line(const Line& line) {
  canvas_.put(rest_.first_rows(1), {rest_.left, rest_.top}, line);
  rest_ = rest_.without_first(1);
}

void ScreenFlow::paragraph(std::string_view text, Ink ink, int indent) {
  const std::string words = in_charset(text, glyphs_);
  for (Line& row : wrapped(words, rest_.width - indent, canvas_.charset(), ink)) {
    row.insert(row.begin(), InkSpan{std::string(static_cast<std::size_t>(indent), ' ')});
    line(row);
  }
}

void ScreenFlow::item(const InkSpan& sign, std::string_view text) {
  const int indent = static_cast<int>(columns_of(sign.text, canvas_.charset()));
  bool is_first = true;
  for (Line& row : wrapped(in_charset(text, glyphs_), rest_.width - indent, canvas_.charset())) {
    row.insert(row.begin(),
               is_first ? sign : InkSpan{std::string(static_cast<std::size_t>(indent), ' ')});
    is_first = false;
    line(row);
  }
}

void ScreenFlow::gap() {
  rest_ = rest_.without_first(1);
}

}  // namespace airlock::tui
