// Did you mean …? The candidate nearest to a word, if one is near enough to be a likely slip.
// For typing errors in option names, settings and field names. Bytes are compared, not characters:
// the words are ours, and ASCII.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace airlock {

// Optimal string alignment distance: insert, delete, replace, swap neighbours; stops counting at
// `limit`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

// Empty when nothing is near: at most one slip for words up to 4 letters, two up to 8, three
// beyond.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> candidates);

// The nearest word as the end of a message: "; did you mean 'x'?", or " Did you mean 'x'?" behind a
// full stop. Empty when nothing is near.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);
std::string did_you_mean_sentence(std::string_view word,
                                  std::span<const std::string_view> candidates);

}  // namespace airlock
