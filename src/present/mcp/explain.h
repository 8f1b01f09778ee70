// What went wrong, for the model that sent the code: the line, the reason, what to do. Everything
// that comes from the code or the guest stands on one line, made visible and bounded, so that it
// cannot pass for words of ours. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/session/session.h"

namespace airlock::mcp {

// Whether the piece was one of a session that goes on, or had one to itself that is gone.
enum class InSession : std::uint8_t { kYes, kAlone };

// Of a piece whose end is not kDone. `code`: the piece.
std::string explain_piece(const PieceReport& report, std::string_view code, InSession where);

// `checked`: what `check` says of code that was refused, as JSON.
std::string explain_refusal(std::string_view checked);

// How something comes to be approved: by a person, never by us.
std::string_view how_to_approve();

}  // namespace airlock::mcp
