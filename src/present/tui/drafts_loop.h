// The drafts that wait, on a terminal (`airlock wizard --drafts`): shows
// present/tui/screens/drafts_screen.h and does to the store what its keys ask for. Runs on the
// calling thread until it is left.
#pragma once

#include <string>

#include "model/user_dirs.h"
#include "present/tui/wizard_screen.h"

namespace airlock::tui {

// Until it is left: 0, or 128 + N when signal N ended it; 2 when there is no terminal or the drafts
// cannot be read.
int run_drafts_screen(const UserDirs& user_dirs, const std::string& host_program,
                      const ScreenOptions& options);

}  // namespace airlock::tui
