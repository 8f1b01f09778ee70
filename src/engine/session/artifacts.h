// What a piece has left in /out: files that are new or different since the last look. Read by the
// supervisor while the cell is stopped, through a handle on the folder. What lies there is hostile:
// only regular files are read, no link is followed, nothing waits (a FIFO), and counts, sizes and
// depth are bounded; what is left out is said.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/piece.h"

namespace airlock {

struct ArtifactLimits {
  std::size_t files = 200;                 // of one piece
  std::size_t bytes = 32UL * 1024 * 1024;  // of one piece
  std::size_t entries = 20'000;            // looked at
  std::size_t depth = 16;                  // folders inside each other
};

struct Harvest {
  std::vector<Artifact> artifacts;    // sorted by name
  std::vector<std::string> left_out;  // "name: why", at most 20, and how many more
};

// Of one cell. Remembers what it has seen.
class ArtifactReader {
 public:
  // Whether there is anything at all: a look that needs no stopped cell.
  static bool is_empty(int folder);
  Harvest read(int folder, const ArtifactLimits& limits);

 private:
  struct Stamp {
    std::uint64_t inode = 0;
    std::int64_t size = 0;
    std::int64_t seconds = 0;  // of the last change, which the guest cannot set
    std::int64_t nanoseconds = 0;
    friend bool operator==(const Stamp&, const Stamp&) = default;
  };
  class Walk;

  std::map<std::string, Stamp> seen_;
};

}  // namespace airlock
