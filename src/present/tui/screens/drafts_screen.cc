#include "present/tui/screens/drafts_screen.h"

#include <fmt/format.h>

#include <algorithm>

#include "present/tui/draw/paint_code.h"
#include "present/tui/draw/words.h"
#include "present/tui/screens/footer.h"
#include "present/tui/screens/pane.h"
#include "present/tui/screens/screens.h"

namespace airlock::tui {

namespace {

// "23 h left", "12 min left".
std::string left_words(const Draft& draft, std::int64_t now) {
  constexpr std::int64_t kMinute = 60 * 1000;
  const std::int64_t left = std::max<std::int64_t>(0, draft.created + kDraftLifeMs - now);
  if (left >= 60 * kMinute) return fmt::format("{} h left", left / (60 * kMinute));
  return fmt::format("{} min left", left / kMinute);
}

Line row_of(const Draft& draft, std::int64_t now, const Glyphs& glyphs) {
  // The columns of a row: id, output (18), name (22), time left (12), paths.
  constexpr std::size_t kNameColumns = 22;
  const std::string name = cut_end(draft.name.empty() ? "(no name)" : draft.name, kNameColumns,
                                   glyphs.ellipsis, glyphs.charset);
  const std::size_t used = columns_of(name, glyphs.charset);
  return {{draft.id + "  ", Ink::kStrong},
          {fmt::format("{:<18}", output_words(draft.kind))},
          {name + std::string(kNameColumns - used, ' ') + "  ", Ink::kDefinition},
          {fmt::format("{:<12}", left_words(draft, now)), Ink::kMuted},
          {count_words(draft.samples.size(), "path", "paths"), Ink::kMuted}};
}

std::vector<KeyLabel> labels(const DraftsView& view, bool has_drafts, const Glyphs& glyphs) {
  if (view.asks_deletion) return {{"d", "Delete it for good"}, {"Esc", "Keep it"}};
  std::vector<KeyLabel> keys;
  if (has_drafts) {
    keys = {{"a", "Approve"},
            {"d", "Delete"},
            {std::string(glyphs.up_down), "Move"},
            {"PgUp/PgDn", "Scroll"}};
  }
  keys.push_back({"Esc", "Leave"});
  return keys;
}

void draw_list(Canvas& canvas, const Area& area, std::span<const Draft> drafts, std::size_t row,
               std::int64_t now, const Glyphs& glyphs) {
  PaneText text{"Drafts", {}};
  for (const Draft& draft : drafts) text.lines.push_back(row_of(draft, now, glyphs));
  const int rows = std::max(1, area.height - 2);
  const int selected = static_cast<int>(row);
  const int last = std::max(0, static_cast<int>(drafts.size()) - rows);
  // The row under the cursor stays in the middle, except near the ends of the list.
  const int top = std::clamp(selected - rows / 2, 0, last);
  draw_pane(canvas, area, glyphs, text, {static_cast<std::size_t>(top), 0}, Focus::kNo);
  const Area inside = area.inset(2, 1);
  canvas.ink_row(inside, inside.top + selected - top, Ink::kSelected);
}

}  // namespace

Picture draw_drafts(std::span<const Draft> drafts, const DraftsView& view, std::int64_t now,
                    Size size, Charset charset) {
  const Glyphs& glyphs = glyphs_of(charset);
  Picture picture{Canvas(size, charset)};
  Canvas& canvas = picture.canvas;
  if (size.width < kSmallest.width || size.height < kSmallest.height) {
    draw_too_small(canvas, glyphs);
    return picture;
  }
  Area area = draw_box(canvas, canvas.area(), glyphs, "AIRLOCK WIZARD - DRAFTS");
  const auto foot = footer_lines(labels(view, !drafts.empty(), glyphs), area.width, charset);
  for (std::size_t i = 0; i < foot.size(); ++i) {
    const int y = area.bottom() - static_cast<int>(foot.size() - i);
    canvas.put(area, {area.left, y}, foot[i]);
  }
  area = area.without_last(static_cast<int>(foot.size()));
  // One row above the keys for what the last key came to.
  const Area message_row = area.last_rows(1);
  area = area.without_last(1);
  const std::string message = view.message;
  canvas.put(
      message_row, {message_row.left, message_row.top},
      cut_end(message, static_cast<std::size_t>(message_row.width), glyphs.ellipsis, charset),
      view.is_bad || view.asks_deletion ? Ink::kBad : Ink::kGood);
  if (drafts.empty()) {
    ScreenFlow flow(canvas, area, glyphs);
    flow.gap();
    flow.paragraph("There are no drafts. `airlock wizard --samples FILE` makes one.");
    return picture;
  }
  const std::size_t row = std::min(view.row, drafts.size() - 1);
  // Two rows of border; the list takes half of the screen at most, the text gets the rest.
  const int rows = std::min(static_cast<int>(drafts.size()) + 2, area.height / 2);
  draw_list(canvas, area.first_rows(rows), drafts, row, now, glyphs);
  area = area.without_first(rows);
  const Draft& draft = drafts[row];
  ScreenFlow flow(canvas, area, glyphs);
  if (!draft.hint.empty()) flow.line(fact("Hint", draft.hint));
  if (!draft.samples.empty()) flow.line(fact("Sample path", draft.samples.front()));
  picture.pane_count = 1;
  picture.panes[0] =
      draw_pane(canvas, flow.rest(), glyphs,
                {std::string(output_words(draft.kind)), paint_code(draft.text, draft.kind)},
                view.scroll, Focus::kNo);
  return picture;
}

DraftsAct press(DraftsView& view, std::span<const Draft> drafts, const Picture& picture,
                const Keystroke& key) {
  const bool is_letter = key.stroke == Stroke::kCharacter && !drafts.empty();
  // Deleting takes the same key twice; any other key keeps the draft.
  if (view.asks_deletion) {
    view.asks_deletion = false;
    view.message.clear();
    return is_letter && key.character == U'd' ? DraftsAct::kDelete : DraftsAct::kNone;
  }
  view.message.clear();
  view.is_bad = false;
  const std::size_t last = drafts.empty() ? 0 : drafts.size() - 1;
  const std::size_t before = view.row = std::min(view.row, last);
  const Extent& extent = picture.panes[0];
  const std::size_t end = extent.rows > extent.page_rows ? extent.rows - extent.page_rows : 0;
  const std::size_t page = std::max<std::size_t>(1, extent.page_rows);
  switch (key.stroke) {
    case Stroke::kEscape:
      return DraftsAct::kLeave;
    case Stroke::kUp:
      view.row = before > 0 ? before - 1 : 0;
      break;
    case Stroke::kDown:
      view.row = std::min(before + 1, last);
      break;
    case Stroke::kPageUp:
      view.scroll.top -= std::min(view.scroll.top, page);
      break;
    case Stroke::kPageDown:
      view.scroll.top = std::min(view.scroll.top + page, end);
      break;
    case Stroke::kCharacter:
      if (is_letter && key.character == U'a') return DraftsAct::kApprove;
      if (is_letter && key.character == U'd') {
        view.asks_deletion = true;
        view.message = fmt::format("Delete {}? There is no way back.", drafts[view.row].id);
      }
      break;
    default:
      break;
  }
  // Another draft is another text: it is shown from its beginning.
  if (view.row != before) view.scroll = {};
  return DraftsAct::kNone;
}

}  // namespace airlock::tui
