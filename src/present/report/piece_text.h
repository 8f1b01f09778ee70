// What came of a piece of a session, for people: what went wrong, and what is worth a line besides.
// Everything of the guest's is made safe to show (base/printable.h).
#pragma once

#include <string>

#include "engine/session/session.h"
#include "present/report/style.h"

namespace airlock::cli {

// Why there is no value: the traceback, or one line. Empty for a piece that is done.
std::string piece_error_text(const PieceReport& report, Colour colour);

// One line each: calls that were denied, files that were left out. Those in `harvest.artifacts` are
// told by whoever keeps them.
std::string piece_notes_text(const PieceReport& report, Colour colour);

// For those who go on: that a piece was killed, and the names with it. Empty otherwise.
std::string lost_names_text(const PieceReport& report, Colour colour);

// "/out/plot.png, 12.0 KiB"
std::string artifact_text(const Artifact& artifact);

}  // namespace airlock::cli
