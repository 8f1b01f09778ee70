// Finds many words at once in one pass over a text (Aho and Corasick's automaton, as one table of
// moves). ASCII letters match in either case. Used to find the few places where a credential's
// pattern is worth trying. Immutable once made; find() may be called by any number of threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace airlock {

class WordFinder {
 public:
  // Words in lower case, none of them empty.
  explicit WordFinder(const std::vector<std::string_view>& words);

  // Calls visit(word, end) for each place at which a word ends, from front to back; `word` is its
  // number, `end` the offset behind it.
  template <typename Visit>
  void find(std::string_view text, Visit visit) const {
    std::uint32_t state = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
      state = moves_[state + classes_[static_cast<unsigned char>(text[at])]];
      if ((state & kHasWord) == 0) continue;
      state &= ~kHasWord;
      for (std::uint32_t word = words_at_[state / width_]; word != kNone; word = next_[word])
        visit(std::size_t{own_[word]}, at + 1);
    }
  }

 private:
  // Marks a move to a state in which at least one word ends, so that the loop tests one bit.
  static constexpr std::uint32_t kHasWord = 1U << 31;
  static constexpr std::uint32_t kNone = UINT32_MAX;

  std::array<std::uint8_t, 256> classes_{};  // 0: a byte of no word
  std::uint32_t width_ = 1;                  // classes, and moves of a state
  std::vector<std::uint32_t> moves_;         // by state (a multiple of width_) and class
  std::vector<std::uint32_t> words_at_;      // by state: the head of a list of words
  std::vector<std::uint32_t> own_;           // of that list: the word
  std::vector<std::uint32_t> next_;          // of that list: the rest
};

}  // namespace airlock
