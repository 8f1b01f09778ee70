// Myers, "An O(ND) Difference Algorithm" (1986), the greedy form: furthest[k] is how far along the
// diagonal k (new minus old lines) one comes with d changes. What was furthest for each d is kept,
// and the way is walked back through it.
#include "engine/compare/line_diff.h"

#include <algorithm>
#include <optional>
#include <span>

namespace airlock {

namespace {

using Lines = std::span<const std::string_view>;

// For one number of changes d: the furthest old line on the diagonals -d … d.
class Frontier {
 public:
  explicit Frontier(std::ptrdiff_t changes)
      : changes_(changes), furthest_(static_cast<std::size_t>(2 * changes + 1), 0) {}

  std::ptrdiff_t& at(std::ptrdiff_t diagonal) {
    return furthest_[static_cast<std::size_t>(diagonal + changes_)];
  }
  // Of a diagonal that this number of changes does not reach: nothing.
  std::optional<std::ptrdiff_t> find(std::ptrdiff_t diagonal) const {
    if (diagonal < -changes_ || diagonal > changes_) return std::nullopt;
    return furthest_[static_cast<std::size_t>(diagonal + changes_)];
  }

 private:
  std::ptrdiff_t changes_;
  std::vector<std::ptrdiff_t> furthest_;
};

// Where a step onto `diagonal` begins in the old text: below (a line more of the new one) or
// beside (a line less of the old one), whichever is further.
std::ptrdiff_t step_onto(const Frontier& before, std::ptrdiff_t diagonal) {
  const auto from_above = before.find(diagonal + 1);  // a removed line: old goes on
  const auto from_below = before.find(diagonal - 1);  // an added line: old stays
  if (!from_above) return from_below.value_or(0);
  if (!from_below) return *from_above + 1;
  return std::max(*from_above + 1, *from_below);
}

// The frontiers up to the end of both; nothing: that takes more than kMostChanges.
std::optional<std::vector<Frontier>> search(Lines before, Lines after) {
  const auto old_size = static_cast<std::ptrdiff_t>(before.size());
  const auto new_size = static_cast<std::ptrdiff_t>(after.size());
  std::vector<Frontier> frontiers;
  for (std::ptrdiff_t changes = 0; changes <= static_cast<std::ptrdiff_t>(kMostChanges);
       ++changes) {
    Frontier now(changes);
    for (std::ptrdiff_t diagonal = -changes; diagonal <= changes; diagonal += 2) {
      std::ptrdiff_t old_at = changes == 0 ? 0 : step_onto(frontiers.back(), diagonal);
      while (old_at < old_size && old_at + diagonal >= 0 && old_at + diagonal < new_size &&
             before[static_cast<std::size_t>(old_at)] ==
                 after[static_cast<std::size_t>(old_at + diagonal)])
        ++old_at;
      now.at(diagonal) = old_at;
      if (old_at >= old_size && old_at + diagonal >= new_size) {
        frontiers.push_back(std::move(now));
        return frontiers;
      }
    }
    frontiers.push_back(std::move(now));
  }
  return std::nullopt;
}

// From the end back to the beginning.
std::vector<LineChange> walk_back(const std::vector<Frontier>& frontiers, std::size_t old_size,
                                  std::size_t new_size) {
  std::vector<LineChange> steps;
  auto old_at = static_cast<std::ptrdiff_t>(old_size);
  auto new_at = static_cast<std::ptrdiff_t>(new_size);
  for (std::size_t changes = frontiers.size() - 1; changes > 0; --changes) {
    const Frontier& before = frontiers[changes - 1];
    const std::ptrdiff_t diagonal = new_at - old_at;
    const std::ptrdiff_t start = step_onto(before, diagonal);
    for (; old_at > start; --old_at, --new_at) steps.push_back(LineChange::kSame);
    // Where both ways lead here the addition comes last: what went stands above what came.
    const bool is_removal = before.find(diagonal - 1) != start;
    steps.push_back(is_removal ? LineChange::kRemoved : LineChange::kAdded);
    --(is_removal ? old_at : new_at);
  }
  for (; old_at > 0; --old_at) steps.push_back(LineChange::kSame);
  std::ranges::reverse(steps);
  return steps;
}

std::vector<LineChange> changes_between(Lines before, Lines after) {
  if (const auto frontiers = search(before, after))
    return walk_back(*frontiers, before.size(), after.size());
  std::vector<LineChange> all(before.size(), LineChange::kRemoved);
  all.insert(all.end(), after.size(), LineChange::kAdded);
  return all;
}

}  // namespace

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::vector<DiffLine> diff_lines(std::string_view before, std::string_view after) {
  const std::vector<std::string_view> old_lines = split_lines(before);
  const std::vector<std::string_view> new_lines = split_lines(after);
  const std::size_t shorter = std::min(old_lines.size(), new_lines.size());
  std::size_t head = 0;
  while (head < shorter && old_lines[head] == new_lines[head]) ++head;
  std::size_t tail = 0;
  while (tail < shorter - head &&
         old_lines[old_lines.size() - 1 - tail] == new_lines[new_lines.size() - 1 - tail])
    ++tail;
  std::vector<LineChange> changes(head, LineChange::kSame);
  const auto between =
      changes_between(Lines(old_lines).subspan(head, old_lines.size() - head - tail),
                      Lines(new_lines).subspan(head, new_lines.size() - head - tail));
  changes.insert(changes.end(), between.begin(), between.end());
  changes.insert(changes.end(), tail, LineChange::kSame);

  std::vector<DiffLine> diff;
  diff.reserve(changes.size());
  std::size_t old_at = 0;
  std::size_t new_at = 0;
  for (const LineChange change : changes) {
    DiffLine line{.change = change};
    if (change != LineChange::kAdded) line.text = old_lines[old_at], line.before = ++old_at;
    if (change != LineChange::kRemoved) line.text = new_lines[new_at], line.after = ++new_at;
    diff.push_back(line);
  }
  return diff;
}

}  // namespace airlock
