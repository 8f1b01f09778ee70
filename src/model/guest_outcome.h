// What came of running guest code once: loading it, or one call of extract(path). All of it is the
// guest's word.
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

  friend bool operator==(const Denial&, const Denial&) = default;
};

// The order in which a set of texts is walked through. It is the same in every run; the other one
// shows whether code depends on it.
enum class HashOrder : std::uint8_t { kUsual, kOther };

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
  std::vector<Denial> denials;
};

// How much a guest may use. Zero stands for "none" nowhere: every run has limits.
struct RunLimits {
  std::uint32_t timeout_ms = 5000;  // for one path, and for loading
  std::uint32_t memory_bytes = 100 * 1000 * 1000;
  std::uint32_t result_bytes = 1024 * 1024;
  std::uint32_t output_bytes = 64 * 1024;  // stdout and stderr, each
  std::uint32_t result_depth = 64;
};

}  // namespace airlock
