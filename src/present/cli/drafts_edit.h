// airlock drafts edit: a draft in the user's own editor, then through all of the validation again.
// Apart from drafts_command.cc because it is a dialog, not a report.
#pragma once

#include <string>

#include "present/cli/judging.h"
#include "present/cli/program.h"

namespace airlock::cli {

// The exit code. What does not pass is told and not kept; on a terminal it can be edited again.
Result<int> edit_draft(const std::string& id, Format format, const Environment& environment);

}  // namespace airlock::cli
