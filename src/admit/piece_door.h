// The inner door for sessions: what a cell says of a piece, and the calls of host functions that
// its code makes. As strict about form, size and depth as the door for answers (cell_door.h); names
// are not judged. Pure; not for two threads at once.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "admit/strict_json.h"
#include "model/cell_answer.h"
#include "model/piece.h"
#include "model/raw_outcome.h"

namespace airlock {

class PieceDoor {
 public:
  explicit PieceDoor(const PieceLimits& limits);

  PieceAnswer judge(RawPiece said);
  // What is wrong with it is for the guest that called.
  std::expected<HostCall, Failure> judge(RawCall called, std::span<const HostFunction> functions);
  // The same for what comes from outside: the result of a call, the inputs of a piece.
  bool is_value(std::string_view json);
  bool is_object(std::string_view json);

 private:
  bool is_within_limits(const PieceOutcome& outcome);

  PieceLimits limits_;
  StrictJson json_;
};

}  // namespace airlock
