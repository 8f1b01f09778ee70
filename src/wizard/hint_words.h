// A hint as its words, in lower case: enough to see what is asked for. No grammar is attempted:
// recipes (recipes.cc) ask for words, verb forms and neighbouring words. A hint that is understood
// wrongly costs a look at the result, nothing more. Pure; ASCII alone, so words in other scripts
// are not seen.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/ascii.h"

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
      if (is_alnum(c) || c == '_') {
        word += lower(c);
      } else {
        finish();
      }
    }
    finish();
  }

  const std::vector<std::string>& words() const { return words_; }
  bool has(std::string_view word) const { return std::ranges::find(words_, word) != words_.end(); }
  bool has_any(std::initializer_list<std::string_view> words) const {
    return std::ranges::any_of(words, [&](std::string_view word) { return has(word); });
  }
  // One of these verbs in any of its forms: compute, computes, computed, computing.
  bool has_form_of(std::initializer_list<std::string_view> verbs) const {
    return std::ranges::any_of(words_, [&](std::string_view word) {
      return std::ranges::any_of(verbs, [&](std::string_view verb) { return is_form(word, verb); });
    });
  }
  // Words of these lists, one right behind the other.
  bool has_pair(std::initializer_list<std::string_view> first,
                std::initializer_list<std::string_view> second) const {
    for (std::size_t i = 0; i + 1 < words_.size(); ++i)
      if (is_one_of(words_[i], first) && is_one_of(words_[i + 1], second)) return true;
    return false;
  }
  // The word that follows one of these, articles apart; empty when there is none.
  std::string after(std::initializer_list<std::string_view> words) const {
    for (std::size_t i = 0; i + 1 < words_.size(); ++i) {
      if (!is_one_of(words_[i], words)) continue;
      const bool is_article = is_one_of(words_[i + 1], {"a", "an", "the", "one"});
      if (!is_article) return words_[i + 1];
      if (i + 2 < words_.size()) return words_[i + 2];
    }
    return {};
  }

 private:
  static bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
  }
  // English suffixes: compute → computes, computed, computing; map → maps, mapped, mapping.
  static bool is_form(std::string_view word, std::string_view verb) {
    const bool ends_in_e = verb.ends_with('e');
    const std::string_view stem = ends_in_e ? verb.substr(0, verb.size() - 1) : verb;
    if (!word.starts_with(stem)) return false;
    std::string_view rest = word.substr(stem.size());
    if (!ends_in_e && !rest.empty() && rest.size() > 1 && rest.front() == stem.back())
      rest.remove_prefix(1);  // mapping, getting
    return ends_in_e ? is_one_of(rest, {"e", "es", "ed", "ing"})
                     : is_one_of(rest, {"", "s", "ed", "ing"});
  }

  std::vector<std::string> words_;
};

}  // namespace airlock::wizard
