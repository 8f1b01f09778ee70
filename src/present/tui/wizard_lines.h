// The wizard line by line: the same questions without a screen, for pipes, screen readers and
// terminals that cannot move their cursor. The same session and the same machine as on a screen.
#pragma once

#include <cstdio>

#include "present/tui/wizard_screen.h"
#include "wizard/session.h"

namespace airlock::tui {

// Prints the facts of each state, asks, reads a line; the end of `in` is Esc. The same exit codes
// as the screen's.
int run_wizard_lines(wizard::Session& session, std::FILE* in, std::FILE* out,
                     const ScreenOptions& options);

}  // namespace airlock::tui
