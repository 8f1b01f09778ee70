// PATTERNS: the fields that inference found; each is kept or ignored.
#include <fmt/format.h>

#include <algorithm>

#include "present/tui/draw/words.h"
#include "present/tui/screens/screens.h"

namespace airlock::tui {

namespace {

using wizard::PatternRow;

// Columns of the table; at least as wide as their headings.
struct Widths {
  std::size_t field = 5;
  std::size_t from = 4;
  std::size_t what = 10;
};

constexpr std::size_t kWidestColumn = 22;

Widths widths_of(const std::vector<PatternRow>& rows, Charset charset) {
  Widths widths;
  for (const PatternRow& row : rows) {
    widths.field = std::max(widths.field, columns_of(row.field, charset));
    widths.from = std::max(widths.from, columns_of(row.from, charset));
    widths.what = std::max(widths.what, columns_of(row.what, charset));
  }
  widths.field = std::min(widths.field, kWidestColumn);
  widths.from = std::min(widths.from, kWidestColumn);
  widths.what = std::min(widths.what, kWidestColumn);
  return widths;
}

std::string padded(std::string_view text, std::size_t columns, const Glyphs& glyphs) {
  std::string out = cut_end(text, columns, glyphs.ellipsis, glyphs.charset);
  out.append(columns - std::min(columns, columns_of(out, glyphs.charset)), ' ');
  return out;
}

Line row_line(const PatternRow& row, bool keep, const Widths& widths, const Glyphs& glyphs) {
  const Ink ink = keep ? Ink::kPlain : Ink::kMuted;
  return {{std::string(keep ? glyphs.kept : glyphs.ignored) + ' ', keep ? Ink::kGood : Ink::kMuted},
          {padded(row.field, widths.field, glyphs) + "  ", keep ? Ink::kDefinition : Ink::kMuted},
          {padded(row.from, widths.from, glyphs) + "  ", ink},
          {padded(row.what, widths.what, glyphs) + "  ", ink},
          {row.examples, Ink::kMuted}};
}

// Rows of the list; a layout that has a name stands above its fields.
struct Listing {
  std::vector<Line> lines;
  std::vector<int> line_of;  // of each pattern
};

// The heading is the first line of the list and scrolls with it; layouts are named only when there
// are several.
Listing list(const Drawing& drawing) {
  const std::vector<PatternRow>& rows = drawing.state().patterns;
  const std::vector<bool>& keep = drawing.scene.view.keep;
  const Widths widths = widths_of(rows, drawing.scene.charset);
  const bool has_several = std::ranges::any_of(
      rows, [&](const PatternRow& row) { return row.rule != rows.front().rule; });
  Listing listing;
  listing.lines.push_back({InkSpan{
      fmt::format("    {}  {}  {}  examples", padded("field", widths.field, drawing.glyphs),
                  padded("from", widths.from, drawing.glyphs),
                  padded("what it is", widths.what, drawing.glyphs)),
      Ink::kMuted}});
  std::string rule;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (has_several && (i == 0 || rows[i].rule != rule)) {
      rule = rows[i].rule;
      listing.lines.push_back({InkSpan{"Layout: " + rule, Ink::kStrong}});
    }
    listing.line_of.push_back(static_cast<int>(listing.lines.size()));
    const bool is_kept = i < keep.size() ? keep[i] : rows[i].keep;
    listing.lines.push_back(row_line(rows[i], is_kept, widths, drawing.glyphs));
  }
  return listing;
}

}  // namespace

void draw_patterns(const Drawing& drawing) {
  ScreenFlow flow(drawing.canvas(), drawing.area, drawing.glyphs);
  const std::vector<bool>& keep = drawing.scene.view.keep;
  const bool is_empty = !keep.empty() && std::ranges::find(keep, true) == keep.end();
  flow.paragraph(is_empty ? kKeepOne
                          : "These fields were detected. What you ignore is left out of the rule.");
  flow.gap();
  const Listing listing = list(drawing);
  const Area area = flow.rest().first_rows(static_cast<int>(listing.lines.size()) + 2);
  const Area inside = draw_box(drawing.canvas(), area, drawing.glyphs, "Detected patterns");
  if (listing.line_of.empty() || inside.is_empty()) return;
  const std::size_t row = std::min(drawing.scene.view.row, listing.line_of.size() - 1);
  const int selected = listing.line_of[row];
  // The cursor stays in the middle of a list that is longer than its box.
  const int last = std::max(0, static_cast<int>(listing.lines.size()) - inside.height);
  const int top = std::clamp(selected - inside.height / 2, 0, last);
  const PaneScroll scroll{static_cast<std::size_t>(top), 0};
  draw_pane(drawing.canvas(), area, drawing.glyphs, {"Detected patterns", listing.lines}, scroll,
            Focus::kNo);
  drawing.canvas().ink_row(inside, inside.top + selected - top, Ink::kSelected);
  drawing.canvas().place_cursor(inside, {inside.left + 1, inside.top + selected - top});
}

}  // namespace airlock::tui
