// ANALYZING: the paths are being looked at. They can be read meanwhile.
#include <algorithm>

#include "present/tui/draw/words.h"
#include "present/tui/screens/screens.h"

namespace airlock::tui {

void draw_analyzing(const Drawing& drawing) {
  const wizard::WizardState& state = drawing.state();
  ScreenFlow flow(drawing.canvas(), drawing.area, drawing.glyphs);
  flow.gap();
  flow.line({{drawing.spinner() + ' ', Ink::kTitle},
             {"Analyzing " + count_words(state.samples.size(), "sample path", "sample paths") +
              std::string(drawing.glyphs.ellipsis)}});
  if (!state.progress.note.empty()) flow.paragraph(state.progress.note, Ink::kMuted, 2);
  if (!state.hint.empty()) {
    flow.gap();
    flow.paragraph("Hint: " + state.hint, Ink::kMuted, 2);
  }
  flow.gap();
  PaneText text{"Sample paths", {}};
  for (const std::string& path : state.samples) text.lines.push_back({InkSpan{path}});
  // As high as the list needs: its lines and the border.
  const int height = std::max(3, static_cast<int>(text.lines.size()) + 2);
  drawing.pane(flow.rest().without_last(1).first_rows(height), text, 0);
}

}  // namespace airlock::tui
