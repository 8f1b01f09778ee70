// CONSENT: everything that would leave this machine, before the first byte of it does, and what
// retries would add. RETRY_CONSENT: one of them, for who wanted to see each.
#include <fmt/format.h>

#include "base/utf8.h"
#include "present/tui/draw/words.h"
#include "present/tui/screens/screens.h"

namespace airlock::tui {

void draw_consent(const Drawing& drawing) {
  const wizard::WizardState& state = drawing.state();
  ScreenFlow flow(drawing.canvas(), drawing.area, drawing.glyphs);
  flow.line(fact("Would ask", state.model, Ink::kStrong));
  flow.line(fact("Would send", fmt::format("the text below: {} characters, with {}",
                                           count_code_points(state.outgoing),
                                           count_words(state.outgoing_paths, "path", "paths"))));
  flow.line(fact("Never sent", "what is inside your files; no file is opened"));
  if (state.redactions > 0) {
    flow.line(fact("Taken out", count_words(state.redactions, "secret or name of a user",
                                            "secrets and names of users")));
  }
  flow.line(fact("Retries add", retry_words(state)));
  flow.line({{"Nothing is sent before you press Enter or s.", Ink::kStrong}});
  // Everything that is left belongs to the text: it can be scrolled to its end before it is sent.
  // Four columns are border and padding.
  const Area where = flow.rest();
  drawing.pane(where,
               {"What will leave this machine",
                wrapped(state.outgoing, where.width - 4, drawing.scene.charset)},
               0);
}

void draw_retry_consent(const Drawing& drawing) {
  const wizard::WizardState& state = drawing.state();
  ScreenFlow flow(drawing.canvas(), drawing.area, drawing.glyphs);
  flow.line(fact("Would ask", state.model, Ink::kStrong));
  flow.line(fact("Would send", fmt::format("the first text again, then this one: {} characters",
                                           count_code_points(state.outgoing_retry))));
  flow.line(fact("Retries left", std::to_string(state.retries_left)));
  flow.line({{"Nothing is sent before you press Enter or a.", Ink::kStrong}});
  const Area where = flow.rest();
  drawing.pane(
      where,
      {"What this retry adds", wrapped(added_text(state), where.width - 4, drawing.scene.charset)},
      0);
}

}  // namespace airlock::tui
