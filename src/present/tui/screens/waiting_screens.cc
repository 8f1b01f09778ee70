// The states with one sentence: EDITING, APPROVING, and the final ones before the screen is left.
#include <fmt/format.h>

#include "present/tui/draw/words.h"
#include "present/tui/screens/screens.h"

namespace airlock::tui {

namespace {

void say(const Drawing& drawing, std::string_view sign, Ink ink, std::string_view words) {
  ScreenFlow flow(drawing.canvas(), drawing.area, drawing.glyphs);
  flow.gap();
  flow.item({std::string(sign) + ' ', ink}, words);
}

}  // namespace

void draw_editing(const Drawing& drawing) {
  say(drawing, drawing.glyphs.running, Ink::kTitle, "The editor has the terminal.");
}

void draw_approving(const Drawing& drawing) {
  say(drawing, drawing.spinner(), Ink::kTitle,
      fmt::format("Approving '{}': it is validated once more, then kept with its receipt...",
                  drawing.state().name));
}

void draw_end(const Drawing& drawing) {
  const wizard::WizardState& state = drawing.state();
  if (state.phase == wizard::Phase::kApproved) {
    say(drawing, drawing.glyphs.check, Ink::kGood,
        fmt::format("Approved: '{}', version {}.", state.name, state.approved_version));
  } else {
    say(drawing, drawing.glyphs.dot, Ink::kMuted, "Nothing was approved.");
  }
}

}  // namespace airlock::tui
