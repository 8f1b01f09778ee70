// CONSENT: everything that would leave this machine, before the first byte of it does.
#include <fmt/format.h>

#include "base/utf8.h"
#include "present/tui/screens.h"
#include "present/tui/words.h"

namespace airlock::tui {

void draw_consent(const Drawing& drawing) {
  const wizard::Sheet& sheet = drawing.sheet();
  Flow flow(drawing.canvas(), drawing.area, drawing.glyphs);
  flow.line(fact("Would ask", sheet.model, Ink::kStrong));
  flow.line(fact("Would send", fmt::format("the text below: {} characters, with {}",
                                           count_code_points(sheet.outgoing),
                                           count_words(sheet.outgoing_paths, "path", "paths"))));
  flow.line(fact("Never sent", "what is inside your files; no file is opened"));
  if (sheet.redactions > 0) {
    flow.line(fact("Taken out", count_words(sheet.redactions, "secret or name of a user",
                                            "secrets and names of users")));
  }
  flow.line({{"Nothing is sent before you press Enter.", Ink::kStrong}});
  const Area where = flow.rest();
  drawing.pane(where,
               {"What will leave this machine",
                wrapped(sheet.outgoing, where.width - 4, drawing.scene.charset)},
               0);
}

}  // namespace airlock::tui
