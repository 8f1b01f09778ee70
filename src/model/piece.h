// Sessions: code that is sent to one cell piece by piece, and the functions of the caller's that it
// may call meanwhile. Plain values; what a cell said about a piece is a RawPiece until the inner
// door has judged it (model/raw_outcome.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/ending.h"
#include "model/guest_outcome.h"

namespace airlock {

// For each piece, unless it says otherwise. Zero stands for "none" nowhere.
struct PieceLimits {
  std::uint32_t timeout_ms = 5000;     // sleeping counts, waiting for a host function does not
  std::uint32_t deadline_ms = 60'000;  // everything counts
  std::uint32_t memory_bytes = 256 * 1000 * 1000;
  std::uint32_t output_bytes = 1024 * 1024;      // kept of both streams together; more is cut
  std::uint32_t flood_bytes = 32 * 1024 * 1024;  // printed: more ends the piece
  std::uint32_t value_bytes = 8 * 1024 * 1024;   // of the last value as JSON
  std::uint32_t shown_bytes = 64 * 1024;         // of its repr
  std::uint32_t call_bytes = 8 * 1024 * 1024;    // of the arguments of one call, and of its result
  std::uint32_t calls = 1000;
  std::uint32_t depth = 64;  // of a JSON value, containers inside each other
};

// A function of whoever opened the session. Inside it looks like any other.
struct HostFunction {
  std::string name;  // an identifier
  std::string doc;
  std::string signature;  // JSON: what inspect shows (library/airlock_session/functions.py); or ""
  bool is_async = false;
};

// What a call of a host function came to: a JSON value, or an exception's type and text.
struct CallResult {
  bool success = false;
  std::string value;
  std::string error_type;
  std::string error;
};

// How far a piece came, in the guest's own words.
struct PieceOutcome {
  bool success = false;
  std::optional<std::string> value;  // JSON, when the last value is such
  std::optional<std::string> shown;  // the repr of a last value that is not None, bounded
  std::string error_type;            // "ValueError"
  std::string error;
  std::uint32_t error_line = 0;  // in the piece that was sent; 0: nowhere in it
  std::string traceback;         // as Python prints it, bounded
  std::uint64_t microseconds = 0;
};

// A file of the host that the session may read, in /data.
struct SessionFile {
  std::string name;          // in /data; no slash
  std::string path;          // on the host, absolute, without links
  std::uint64_t device = 0;  // which file that was when it was looked at
  std::uint64_t inode = 0;
};

// What a piece has left in /out that was not there before, or is different now.
struct Artifact {
  std::string name;  // below /out: "plot.png", "tables/a.csv"
  std::string bytes;
};

enum class OutputStream : std::uint8_t { kOutput, kError };

}  // namespace airlock
