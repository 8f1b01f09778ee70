#include "present/prompt/line_view.h"

#include <algorithm>
#include <optional>

#include "base/printable.h"
#include "present/prompt/line_editor.h"

namespace airlock::prompt {

namespace {

constexpr std::size_t kMostRows = 12;  // of one line; more are not easier to read

// A tab has no glyph of its own; here it takes the place that one typed takes.
Glyph line_glyph_at(std::string_view text, std::size_t at) {
  if (text[at] == '\t') return {"    ", 1, 4};
  return glyph_at(text, at);
}

class RowWriter {
 public:
  RowWriter(std::string_view prompt, std::size_t columns) : columns_(columns) {
    view_.rows.push_back({std::string(prompt), prompt.size()});
  }

  void add(const Glyph& glyph) {
    if (row().columns + glyph.columns > columns_) view_.rows.emplace_back();
    row().text += glyph.text;
    row().columns += glyph.columns;
  }

  // A cursor has a place only before the last column: behind it the terminal would break the row
  // when it likes.
  void put_cursor() {
    if (row().columns >= columns_) view_.rows.emplace_back();
    view_.cursor_row = view_.rows.size() - 1;
    view_.cursor_column = row().columns;
  }

  std::size_t rows() const { return view_.rows.size(); }
  LineView take() { return std::move(view_); }

 private:
  ViewRow& row() { return view_.rows.back(); }

  std::size_t columns_;
  LineView view_;
};

std::optional<LineView> lay_out_whole(std::string_view prompt, std::string_view text,
                                      std::size_t cursor, ScreenSize screen, std::size_t most) {
  RowWriter out(prompt, screen.columns);
  for (std::size_t at = 0; at < text.size();) {
    if (at == cursor) out.put_cursor();
    const Glyph glyph = line_glyph_at(text, at);
    out.add(glyph);
    at += glyph.bytes;
    if (out.rows() > most) return std::nullopt;
  }
  if (cursor >= text.size()) out.put_cursor();
  if (out.rows() > most) return std::nullopt;
  return out.take();
}

// One row, with as much before the cursor as behind it.
LineView lay_out_part(std::string_view prompt, std::string_view text, std::size_t cursor,
                      std::size_t columns) {
  constexpr std::size_t kMarks = 3;  // one on each side, and the place of the cursor
  const std::size_t room =
      columns > prompt.size() + kMarks ? columns - prompt.size() - kMarks : std::size_t{1};
  std::size_t start = cursor;
  std::size_t used = 0;
  while (start > 0) {
    const std::size_t before = character_before(text, start);
    const std::size_t width = line_glyph_at(text, before).columns;
    if (used + width > room - room / 3) break;
    used += width;
    start = before;
  }
  RowWriter out(prompt, columns);
  if (start > 0) out.add({"<", 1, 1});
  std::size_t taken = 0;
  std::size_t at = start;
  while (at < text.size()) {
    const Glyph glyph = line_glyph_at(text, at);
    if (taken + glyph.columns > room) break;
    if (at == cursor) out.put_cursor();
    out.add(glyph);
    taken += glyph.columns;
    at += glyph.bytes;
  }
  if (cursor >= at) out.put_cursor();
  if (at < text.size()) out.add({">", 1, 1});
  return out.take();
}

}  // namespace

LineView lay_out(std::string_view prompt, std::string_view text, std::size_t cursor,
                 ScreenSize screen) {
  constexpr std::size_t kLeastColumns = 8;
  screen.columns = std::max(screen.columns, kLeastColumns);
  const std::size_t most =
      std::clamp<std::size_t>(screen.rows > 1 ? screen.rows - 1 : 1, 1, kMostRows);
  if (auto whole = lay_out_whole(prompt, text, cursor, screen, most)) return std::move(*whole);
  return lay_out_part(prompt, text, cursor, screen.columns);
}

std::size_t cursor_row_after_resize(const LineView& view, std::size_t columns) {
  columns = std::max<std::size_t>(columns, 1);
  std::size_t row = 0;
  for (std::size_t i = 0; i < view.cursor_row; ++i)
    row += std::max<std::size_t>(1, (view.rows[i].columns + columns - 1) / columns);
  return row + view.cursor_column / columns;
}

}  // namespace airlock::prompt
