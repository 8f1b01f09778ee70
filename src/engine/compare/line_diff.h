// What changed between two texts, line by line (Myers' algorithm): which lines stayed, went and
// came, in one list that reads from top to bottom. Pure. Views point into the texts.
//
// Time and memory are bounded: of texts that have more than kMostChanges lines of difference, the
// lines before and behind the difference are told, and all between them counts as replaced.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace airlock {

enum class LineChange : std::uint8_t { kSame, kRemoved, kAdded };

struct DiffLine {
  LineChange change = LineChange::kSame;
  std::size_t before = 0;  // its number in the old text, from 1; 0: it is not there
  std::size_t after = 0;   // in the new one
  std::string_view text = {};

  bool operator==(const DiffLine&) const = default;
};

inline constexpr std::size_t kMostChanges = 1000;

// A line end at the end of a text begins no further line.
std::vector<std::string_view> split_lines(std::string_view text);

std::vector<DiffLine> diff_lines(std::string_view before, std::string_view after);

}  // namespace airlock
