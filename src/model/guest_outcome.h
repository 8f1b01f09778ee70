// What came of running guest code once: loading it, or one call of extract(path). All of it is the
// guest's word.
// The cell fills it and sends it (wire/); the supervisor wraps it into a RawOutcome at once, so
// that nobody reads it before the inner door has.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace airlock {

// A system call that the kernel refused, and the line of the guest's code that asked (0: none of
// it).
struct Denial {
  std::uint32_t call = 0;
  std::uint32_t line = 0;
  // Asked for by a module while it was being imported: listed, and no failure by itself.
  bool is_of_import = false;

  friend bool operator==(const Denial&, const Denial&) = default;
};

// The order in which a set of texts is walked through. It is the same in every run; the other one
// shows whether code depends on it.
// CPython randomizes the hashes of str and bytes by a seed (PYTHONHASHSEED); cells run with a fixed
// one, and validation runs a second time with another to find answers that follow the order.
enum class HashOrder : std::uint8_t { kUsual, kOther };

// How many cells a chamber is likely to make. For many, it pays to learn first how to make them
// quickly (os/hot_pages.h); who makes one or two would only wait for that.
enum class CellCount : std::uint8_t { kFew, kMany };

struct TraceLine {
  std::uint32_t line = 0;
  std::string function;
};

struct GuestOutcome {
  bool success = false;
  std::string value;             // JSON, when it is a success of a call
  std::string error_type;        // "ValueError"
  std::string error;             // what str() of the exception says, bounded
  std::uint32_t error_line = 0;  // in the guest's code; 0: nowhere in it
  std::vector<TraceLine> trace;  // outermost first, the guest's own frames only
  std::string output;            // what it printed, bounded
  std::string error_output;
  bool output_was_cut = false;
  std::uint64_t microseconds = 0;
  std::vector<Denial> denials;         // each a failure
  std::vector<Denial> import_denials;  // listed only
};

// How much a guest may use. Zero stands for "none" nowhere: every run has limits.
struct RunLimits {
  std::uint32_t timeout_ms = 5000;  // for one path, and for loading
  // Of the cell's process above what the warm interpreter has already.
  std::uint32_t memory_bytes = 100 * 1000 * 1000;
  std::uint32_t result_bytes = 1024 * 1024;
  std::uint32_t output_bytes = 64 * 1024;  // stdout and stderr, each
  // Of lists and dicts inside each other.
  std::uint32_t result_depth = 64;
};

}  // namespace airlock
