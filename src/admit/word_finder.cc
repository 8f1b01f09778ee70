#include "admit/word_finder.h"

#include "base/ascii.h"

namespace airlock {

WordFinder::WordFinder(const std::vector<std::string_view>& words) {
  // Bytes that stand in no word share class 0, which keeps the table small.
  for (const std::string_view word : words) {
    for (const char c : word) {
      auto& number = classes_[static_cast<unsigned char>(c)];
      if (number == 0) number = static_cast<std::uint8_t>(width_++);
    }
  }
  for (const char c : std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    classes_[static_cast<unsigned char>(c)] = classes_[static_cast<unsigned char>(lower(c))];

  // The trie of the words. 0 means "no child": it is the root, which is no state's child.
  moves_.assign(width_, 0);
  words_at_.assign(1, kNone);
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::uint32_t state = 0;
    for (const char c : words[i]) {
      const std::size_t at = state + classes_[static_cast<unsigned char>(c)];
      if (moves_[at] == 0) {
        moves_[at] = static_cast<std::uint32_t>(moves_.size());
        moves_.resize(moves_.size() + width_, 0);
        words_at_.push_back(kNone);
      }
      state = moves_[at];
    }
    own_.push_back(static_cast<std::uint32_t>(i));
    next_.push_back(words_at_[state / width_]);
    words_at_[state / width_] = static_cast<std::uint32_t>(own_.size() - 1);
  }

  // Breadth first: where a state has no child, it moves as its longest proper suffix does.
  std::vector<std::uint32_t> suffix(words_at_.size(), 0);
  std::vector<std::uint32_t> queue;
  for (std::uint32_t c = 1; c < width_; ++c) {
    if (moves_[c] != 0) queue.push_back(moves_[c]);
  }
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const std::uint32_t state = queue[head];
    const std::uint32_t shorter = suffix[state / width_];
    // The words of the suffix end here too: its list is put behind our own.
    // Shorter states come first in the queue, so the suffix's list is complete.
    std::uint32_t* tail = &words_at_[state / width_];
    while (*tail != kNone) tail = &next_[*tail];
    *tail = words_at_[shorter / width_];
    for (std::uint32_t c = 1; c < width_; ++c) {
      const std::uint32_t child = moves_[state + c];
      if (child != 0) {
        suffix[child / width_] = moves_[shorter + c];
        queue.push_back(child);
      } else {
        moves_[state + c] = moves_[shorter + c];
      }
    }
  }
  for (std::uint32_t& move : moves_) {
    if (words_at_[move / width_] != kNone) move |= kHasWord;
  }
}

}  // namespace airlock
