#include "base/nearest.h"

#include <algorithm>
#include <vector>

namespace airlock {

// Three rows of the usual table are enough: a swap looks back two rows, all else one. Words of more
// than 64 bytes are nobody's slip, and must not cost a square of their length.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() >= limit || b.size() > 64) return limit;
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return std::min(above[b.size()], limit);
}

std::string_view nearest_word(std::string_view word, std::span<const std::string_view> candidates) {
  const std::size_t allowed = word.size() <= 4 ? 1 : word.size() <= 8 ? 2 : 3;
  std::size_t best = allowed + 1;
  std::string_view found;
  for (const std::string_view candidate : candidates) {
    if (candidate == word) continue;
    const std::size_t distance = edit_distance(word, candidate, best);
    // Every letter changed is another word, not a slip: x is not near to y.
    if (distance < best && distance < word.size()) {
      best = distance;
      found = candidate;
    }
  }
  return found;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view near = nearest_word(word, candidates);
  return near.empty() ? std::string() : "; did you mean '" + std::string(near) + "'?";
}

std::string did_you_mean_sentence(std::string_view word,
                                  std::span<const std::string_view> candidates) {
  const std::string_view near = nearest_word(word, candidates);
  return near.empty() ? std::string() : " Did you mean '" + std::string(near) + "'?";
}

}  // namespace airlock
