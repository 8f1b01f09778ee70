// A hint as its words, in lower case: enough to see what is asked for.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace airlock::wizard {

class HintWords {
 public:
  // Words are letters, digits and _; everything else stands between them.
  explicit HintWords(std::string_view hint) {
    std::string word;
    const auto finish = [&] {
      if (!word.empty()) words_.push_back(std::move(word));
      word.clear();
    };
    for (const char c : hint) {
      const bool is_capital = c >= 'A' && c <= 'Z';
      const bool is_word =
          is_capital || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
      if (!is_word) {
        finish();
        continue;
      }
      word += is_capital ? static_cast<char>(c + ('a' - 'A')) : c;
    }
    finish();
  }

  const std::vector<std::string>& words() const { return words_; }
  bool has(std::string_view word) const { return std::ranges::find(words_, word) != words_.end(); }
  bool has_any(std::initializer_list<std::string_view> words) const {
    return std::ranges::any_of(words, [&](std::string_view word) { return has(word); });
  }
  // The word that follows one of these; empty when there is none.
  std::string after(std::initializer_list<std::string_view> words) const {
    for (std::size_t i = 0; i + 1 < words_.size(); ++i)
      if (std::ranges::find(words, words_[i]) != words.end()) return words_[i + 1];
    return {};
  }

 private:
  std::vector<std::string> words_;
};

}  // namespace airlock::wizard
