// Groups paths into layouts: sets of paths whose segments can be compared position by position.
// Paths of different depth share a layout if they differ only in the folders between a common
// beginning and a common end. The first step of inference (infer.h); pure, and borrows the paths.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace airlock::rules {

using Segments = std::vector<std::string_view>;

struct PathLayout {
  std::vector<std::size_t> members;  // of the paths given
  // Positions from the beginning and from the end that all members have. When `is_deep`, there may
  // be more segments between them, in some members; otherwise front + back is the depth of every
  // member.
  std::size_t front = 0;
  std::size_t back = 0;
  bool is_deep = false;
};

// Largest first. Every path is in exactly one; small ones are left small for the caller to judge.
std::vector<PathLayout> find_layouts(std::span<const Segments> paths);

}  // namespace airlock::rules
