// The wizard on a terminal: one loop that draws the session's state, waits for keys, events and
// signals, and acts on them. The terminal is restored on every way out. Called by `airlock wizard`,
// on the main thread.
#pragma once

#include "present/tui/terminal.h"
#include "wizard/editor.h"
#include "wizard/session.h"

namespace airlock::tui {

struct ScreenOptions {
  TerminalOptions terminal;
  wizard::EditorChoice editor;
};

// From NO_COLOR, COLORFGBG, TERM, the locale, VISUAL and EDITOR; flags are laid over it.
ScreenOptions options_from_environment();

// Shows the session until it ends; then says on stdout what came of it. Gives back the exit code: 0
// approved, 1 not, 128 + N when signal N (or a terminal that went away) ended it. A terminal that
// cannot show screens is asked line by line.
int run_wizard_screen(wizard::Session& session, const ScreenOptions& options);

}  // namespace airlock::tui
