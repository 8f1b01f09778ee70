// Patterns simple enough to be matched in one pass over the bytes: literals, classes with a count,
// groups without alternatives. Most patterns for paths are ("mission_(\d+)"), and this is several
// times faster than an automaton with captures.
//
// One pass gives the answer that RE2 gives because it is only taken when no count has a choice:
// whatever may follow a class that repeats is not in that class, so the longest run is the only one
// that can go on.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace airlock::rules {

// Immutable after parse(); find() may be called by any number of threads.
class OnePass {
 public:
  // Nothing: the pattern needs RE2. `pattern` must be one that RE2 takes; `group` is what is asked
  // for, 0 for the whole match.
  static std::optional<OnePass> parse(std::string_view pattern, int group);

  // The group of the first match in `text`. Time grows with the square of the text at worst: give
  // it no more than kLongestText.
  std::optional<std::string_view> find(std::string_view text) const;

  static constexpr std::size_t kLongestText = 1024;

 private:
  // A class of bytes and how often it may stand there; a literal byte is a class of one.
  struct Step {
    std::bitset<256> set;
    std::size_t least = 1;
    std::size_t most = 1;
    std::array<bool, 256> takes{};  // `set`, in the form that is quickest to ask
  };
  friend class OnePassReader;

  std::optional<std::string_view> match_at(std::string_view text, std::size_t start) const;

  std::vector<Step> steps_;
  std::string prefix_;  // the literal bytes that it begins with
  // The steps before which the group opens, and before which it closes.
  std::size_t group_start_ = 0;
  std::size_t group_end_ = 0;
  bool is_anchored_ = false;  // begins with ^
  bool ends_text_ = false;    // ends with $
};

}  // namespace airlock::rules
