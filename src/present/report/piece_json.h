// What came of a piece of a session, as JSON: one line, the same in every door.
#pragma once

#include <string>

#include "engine/session/session.h"

namespace airlock::cli {

// {"value", "shown", "stdout", "stderr", "calls", "denials", "artifacts", "elapsed_ms",
// "state_lost", "error"}; docs/protocol.md tells each.
std::string piece_as_json(const PieceReport& report);

// "timeout", "memory", …: how a program tells the ends apart. Empty for a piece that is done.
std::string_view end_name(PieceEnd end);

}  // namespace airlock::cli
