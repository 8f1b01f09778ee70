// What a request says about a session and about a piece, as the engine takes it. The same for every
// door: each refuses the members that it does not have itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/session/session.h"
#include "present/serve/request.h"
#include "present/serve/resident.h"

namespace airlock::serve {

// Whether a client may name any file for /data: only one who sees what we see. Everybody may name
// those below the server's roots; where it has some, nobody may name others.
enum class FilesMayBeNamed : std::uint8_t { kBelowRoots, kAnywhere };

// policy, timeout, deadline, memory_mb, output_bytes, max_calls, functions, files, strict.
Result<SessionOptions> read_session_options(const Request& request, const Resident& resident,
                                            FilesMayBeNamed files);

// code, inputs, timeout. `inputs` points into the request.
struct AskedPiece {
  std::string code;
  std::string_view inputs = "{}";
  std::optional<std::uint32_t> timeout_ms = {};

  PieceRun run() const { return {.code = code, .inputs = inputs, .timeout_ms = timeout_ms}; }
};
Result<AskedPiece> read_piece(const Request& request);

}  // namespace airlock::serve
