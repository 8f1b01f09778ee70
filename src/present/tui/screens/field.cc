#include "present/tui/screens/field.h"

#include <algorithm>

namespace airlock::tui {

void draw_field(const Drawing& drawing, const Area& area, std::string_view title) {
  Canvas& canvas = drawing.canvas();
  const Charset charset = drawing.scene.charset;
  const Area inside = draw_box(canvas, area, drawing.glyphs, title, Ink::kFocus);
  if (inside.is_empty()) return;
  const LineEditor& editor = drawing.scene.view.editor;
  const std::string_view text = editor.text();
  // One column is left for the cursor behind the last letter.
  const auto rows =
      wrap_pieces(text, static_cast<std::size_t>(std::max(1, inside.width - 1)), charset);
  int cursor_row = 0;
  // The last row that begins at or before the cursor.
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].begin <= editor.cursor()) cursor_row = static_cast<int>(i);
  }
  // Scrolled just so far that the cursor's row is the last one in sight.
  const int top = std::clamp(cursor_row - inside.height + 1, 0, static_cast<int>(rows.size()));
  for (int y = 0; y < inside.height && top + y < static_cast<int>(rows.size()); ++y) {
    const TextPiece& piece = rows[static_cast<std::size_t>(top) + static_cast<std::size_t>(y)];
    canvas.put(inside, {inside.left, inside.top + y},
               text.substr(piece.begin, piece.end - piece.begin));
  }
  const TextPiece& piece = rows[static_cast<std::size_t>(cursor_row)];
  const std::size_t columns =
      columns_of(text.substr(piece.begin, editor.cursor() - piece.begin), charset);
  canvas.place_cursor(inside,
                      {inside.left + static_cast<int>(columns), inside.top + cursor_row - top});
}

void draw_samples(const Drawing& drawing, const Area& area) {
  if (area.height < 3) return;
  PaneText text{"Sample paths", {}};
  for (const std::string& path : drawing.state().samples) text.lines.push_back({InkSpan{path}});
  const int height = std::min(area.height, static_cast<int>(text.lines.size()) + 2);
  draw_pane(drawing.canvas(), area.first_rows(std::max(3, height)), drawing.glyphs, text, {},
            Focus::kNo);
}

}  // namespace airlock::tui
