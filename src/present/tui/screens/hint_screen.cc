// HINT_INPUT: what a person knows about the paths, with a counter of what still fits.
#include <fmt/format.h>

#include <algorithm>

#include "present/tui/screens/field.h"

namespace airlock::tui {

void draw_hint(const Drawing& drawing) {
  const LineEditor& editor = drawing.scene.view.editor;
  ScreenFlow flow(drawing.canvas(), drawing.area, drawing.glyphs);
  flow.gap();
  flow.paragraph(
      "What should be known about these paths? For example: \"Quarter folder should compute "
      "start/end month\".");
  flow.gap();
  // Half of what is left, at least one row of text and at most seven; the samples get the rest.
  const int height = std::clamp(flow.rest().height / 2, 3, 9);
  draw_field(drawing, flow.rest().first_rows(height), "Hint");
  flow.skip(height);
  const std::string counter = fmt::format("{}/{}", editor.length(), editor.most());
  const bool is_full = editor.length() >= editor.most();
  const Area row = flow.rest().first_rows(1);
  // The counter stands at the right edge, below the field.
  drawing.canvas().put(row, {row.right() - static_cast<int>(counter.size()), row.top}, counter,
                       is_full ? Ink::kWarning : Ink::kMuted);
  flow.gap();
  draw_samples(drawing, flow.rest().without_last(1));
}

}  // namespace airlock::tui
