// EDIT_ERROR and ANALYSIS_ERROR: what went wrong, in its own words, and what can be done now.
#include <fmt/format.h>

#include <algorithm>

#include "present/tui/draw/words.h"
#include "present/tui/screens/footer.h"
#include "present/tui/screens/screens.h"

namespace airlock::tui {

namespace {

// Rows of the terminal from which on each option gets a line with its sentence; below that they are
// in the footer alone.
constexpr int kRoomForOptions = 20;

// The last error in full, then one line for each attempt when there were several.
std::vector<Line> detail_lines(const Drawing& drawing, int columns) {
  const wizard::WizardState& state = drawing.state();
  std::vector<Line> lines =
      wrapped(in_charset(state.problem.detail, drawing.glyphs), columns, drawing.scene.charset);
  if (state.phase == wizard::Phase::kAnalysisError && state.attempts.size() > 1) {
    lines.emplace_back();
    lines.push_back({InkSpan{"Attempts:", Ink::kStrong}});
    for (const std::string& text : attempt_words(state)) {
      for (Line& row : wrapped(text, columns, drawing.scene.charset, Ink::kMuted)) {
        lines.push_back(std::move(row));
      }
    }
  }
  return lines;
}

}  // namespace

bool lists_options(const wizard::WizardState& state, Size size) {
  return size.height >= kRoomForOptions &&
         (state.phase == wizard::Phase::kAnalysisError || state.phase == wizard::Phase::kEditError);
}

void draw_error(const Drawing& drawing) {
  const wizard::WizardState& state = drawing.state();
  ScreenFlow flow(drawing.canvas(), drawing.area, drawing.glyphs);
  flow.gap();
  flow.paragraph(state.problem.title, Ink::kBad);
  flow.gap();

  std::vector<Line> options;
  if (lists_options(state, drawing.scene.size)) {
    options.push_back({InkSpan{"Options:"}});
    for (Line& line : option_lines(drawing.scene, drawing.glyphs, drawing.area.width)) {
      options.push_back(std::move(line));
    }
  }
  std::vector<Line> fix;
  if (!state.problem.fix.empty()) {
    fix = wrapped("Fix: " + in_charset(state.problem.fix, drawing.glyphs), drawing.area.width,
                  drawing.scene.charset, Ink::kStrong);
    if (fix.size() > 4) fix.resize(4);
  }
  // What must fit below the pane: the fix, a gap and the options. The pane gets what is left, but
  // never fewer than three rows, one of which is text.
  const int below = static_cast<int>(options.size() + fix.size()) + (options.empty() ? 0 : 1);
  const std::vector<Line> details = detail_lines(drawing, drawing.area.width - 4);
  if (!details.empty()) {
    const int room = std::max(3, flow.rest().height - below);
    const int height = std::min(room, static_cast<int>(details.size()) + 2);
    const std::string title = state.problem.stage.empty()
                                  ? "What happened"
                                  : fmt::format("Last error ({})", state.problem.stage);
    drawing.pane(flow.rest().first_rows(height), {title, details}, 0);
    flow.skip(height);
  }
  for (const Line& line : fix) flow.line(line);
  if (flow.rest().height > static_cast<int>(options.size())) flow.gap();
  for (const Line& line : options) flow.line(line);
}

}  // namespace airlock::tui
