#include "rules/match/one_pass.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace airlock::rules {

namespace {

using Set = std::bitset<256>;
constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kMostRepeats = 1000;  // as in RE2

void add_range(Set& set, unsigned char from, unsigned char to) {
  for (unsigned c = from; c <= to; ++c) set.set(c);
}

Set digits() {
  Set set;
  add_range(set, '0', '9');
  return set;
}

Set word_characters() {
  Set set = digits();
  add_range(set, 'a', 'z');
  add_range(set, 'A', 'Z');
  set.set('_');
  return set;
}

bool is_ascii_only(const Set& set) {
  for (std::size_t c = 0x80; c < 0x100; ++c) {
    if (set.test(c)) return false;
  }
  return true;
}

}  // namespace

// Reads the pattern from left to right; anything it does not know means that it is not for one
// pass.
class OnePassReader {
 public:
  OnePassReader(std::string_view pattern, int group) : rest_(pattern), wanted_(group) {}

  std::optional<OnePass> read() {
    if (take('^')) made_.is_anchored_ = true;
    while (!rest_.empty()) {
      if (rest_ == "$") {
        made_.ends_text_ = true;
        rest_ = {};
      } else if (!read_part()) {
        return std::nullopt;
      }
    }
    if (is_open_ || made_.steps_.empty() || (wanted_ > 0 && !has_group_)) return std::nullopt;
    // The checks come last, because they need all steps: whether a count has a choice depends on
    // what follows it.
    if (wanted_ == 0) made_.group_end_ = made_.steps_.size();
    if (!has_no_choice()) return std::nullopt;
    find_prefix();
    for (OnePass::Step& step : made_.steps_) {
      for (std::size_t c = 0; c < step.takes.size(); ++c) step.takes[c] = step.set.test(c);
    }
    return std::move(made_);
  }

 private:
  bool take(char wanted) {
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool read_part() {
    if (rest_.front() == '(') return open_group();
    if (rest_.front() == ')') return close_group();
    OnePass::Step step;
    if (!read_atom(step.set) || !read_count(step)) return false;
    // Counts are of characters, and one that is not ASCII has several bytes.
    const bool counts = step.most != kUnlimited || step.least > 1;
    if (counts && !is_ascii_only(step.set)) return false;
    made_.steps_.push_back(step);
    return true;
  }

  // One level of groups, none with a modifier, none repeated: anything else is left to RE2.
  bool open_group() {
    if (is_open_ || rest_.starts_with("(?")) return false;
    rest_.remove_prefix(1);
    is_open_ = true;
    if (++groups_ == wanted_) {
      has_group_ = true;
      made_.group_start_ = made_.steps_.size();
    }
    return true;
  }

  bool close_group() {
    rest_.remove_prefix(1);
    if (!is_open_ || (!rest_.empty() && std::string_view("*+?{").contains(rest_.front())))
      return false;
    is_open_ = false;
    if (groups_ == wanted_) made_.group_end_ = made_.steps_.size();
    return true;
  }

  // One byte, escape, class or dot, as the set of bytes it takes.
  bool read_atom(Set& set) {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    if (std::string_view("|*+?{}^$").contains(c)) return false;
    if (c == '\\') return read_escape(set);
    if (c == '[') return read_class(set);
    if (c == '.') {
      set.set();
      set.reset('\n');
      return true;
    }
    // Part of a character of several bytes, which a count behind it would count as one.
    if (static_cast<unsigned char>(c) >= 0x80) return false;
    set.set(static_cast<unsigned char>(c));
    return true;
  }

  // Only \d, \w and escaped punctuation. \s, \b and the rest are rare in paths.
  bool read_escape(Set& set) {
    if (rest_.empty()) return false;
    const char c = rest_.front();
    rest_.remove_prefix(1);
    if (c == 'd') {
      set |= digits();
    } else if (c == 'w') {
      set |= word_characters();
    } else if (std::string_view(".-_/\\+*?()[]{}^$|=@#%&,:;!~ \"'").contains(c)) {
      set.set(static_cast<unsigned char>(c));
    } else {
      return false;
    }
    return true;
  }

  bool read_class(Set& set) {
    const bool is_negated = take('^');
    if (rest_.starts_with(']')) return false;
    Set inside;
    while (!rest_.empty() && rest_.front() != ']') {
      if (rest_.front() == '[') return false;  // [:alpha:]
      if (!read_class_item(inside)) return false;
    }
    if (!take(']')) return false;
    if (is_negated) inside = ~inside;
    set |= inside;
    return true;
  }

  // One byte, an escape, or a range of bytes.
  bool read_class_item(Set& inside) {
    const char from = rest_.front();
    rest_.remove_prefix(1);
    if (static_cast<unsigned char>(from) >= 0x80) return false;
    if (from == '\\') return read_escape(inside) && !rest_.starts_with('-');
    const bool is_range = rest_.size() > 1 && rest_[0] == '-' && rest_[1] != ']';
    if (!is_range) {
      inside.set(static_cast<unsigned char>(from));
      return true;
    }
    const char to = rest_[1];
    if (to == '\\' || to == '[' || static_cast<unsigned char>(to) >= 0x80 || to < from)
      return false;
    rest_.remove_prefix(2);
    add_range(inside, static_cast<unsigned char>(from), static_cast<unsigned char>(to));
    return true;
  }

  bool read_count(OnePass::Step& step) {
    if (take('+')) {
      step.most = kUnlimited;
    } else if (take('*')) {
      step.least = 0;
      step.most = kUnlimited;
    } else if (take('?')) {
      step.least = 0;
    } else if (rest_.starts_with('{')) {
      if (!read_braces(step)) return false;
    }
    // A lazy count (+?) has a choice by its nature; so does a count of a count.
    return rest_.empty() || !std::string_view("*+?{").contains(rest_.front());
  }

  // {n}, {n,} or {n,m}.
  bool read_braces(OnePass::Step& step) {
    const std::size_t end = rest_.find('}');
    if (end == std::string_view::npos) return false;
    const std::string_view inside = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    const std::size_t comma = inside.find(',');
    const auto number = [](std::string_view text, std::size_t& to) {
      const auto done = std::from_chars(text.data(), text.data() + text.size(), to);
      return done.ec == std::errc() && done.ptr == text.data() + text.size() && to <= kMostRepeats;
    };
    if (!number(inside.substr(0, comma), step.least)) return false;
    step.most = step.least;
    if (comma == std::string_view::npos) return true;
    if (comma + 1 == inside.size()) {
      step.most = kUnlimited;
      return true;
    }
    return number(inside.substr(comma + 1), step.most) && step.most >= step.least;
  }

  // From the end: what may come next. The end of the text, when the pattern does not ask for it,
  // takes anything, but then the longest run is what a greedy count takes anyway.
  bool has_no_choice() const {
    Set next;
    for (std::size_t i = made_.steps_.size(); i > 0; --i) {
      const OnePass::Step& step = made_.steps_[i - 1];
      if (step.least != step.most && (step.set & next).any()) return false;
      next = step.least == 0 ? (next | step.set) : step.set;
    }
    return true;
  }

  // Literal bytes at the beginning let find() jump with a plain search, which is where most of the
  // time is saved.
  void find_prefix() {
    for (const OnePass::Step& step : made_.steps_) {
      if (step.least != 1 || step.most != 1 || step.set.count() != 1) return;
      for (unsigned c = 0; c < 256; ++c) {
        if (step.set.test(c)) made_.prefix_ += static_cast<char>(c);
      }
    }
  }

  std::string_view rest_;
  int wanted_;
  OnePass made_;
  int groups_ = 0;
  bool is_open_ = false;
  bool has_group_ = false;
};

std::optional<OnePass> OnePass::parse(std::string_view pattern, int group) {
  return OnePassReader(pattern, group).read();
}

std::optional<std::string_view> OnePass::match_at(std::string_view text, std::size_t start) const {
  // find() has seen the prefix there already, one step for each byte.
  const std::size_t known = is_anchored_ ? 0 : prefix_.size();
  std::size_t at = start + known;
  std::size_t from = start + std::min(known, group_start_);
  std::size_t to = start + std::min(known, group_end_);
  for (std::size_t i = known; i < steps_.size(); ++i) {
    if (i == group_start_) from = at;
    if (i == group_end_) to = at;
    const Step& step = steps_[i];
    const std::size_t room = text.size() - at;
    const std::size_t most = std::min(step.most, room);
    std::size_t count = 0;
    while (count < most && step.takes[static_cast<unsigned char>(text[at + count])]) ++count;
    if (count < step.least) return std::nullopt;
    at += count;
  }
  if (group_start_ == steps_.size()) from = at;
  if (group_end_ == steps_.size()) to = at;
  if (ends_text_ && at != text.size()) return std::nullopt;
  return text.substr(from, to - from);
}

std::optional<std::string_view> OnePass::find(std::string_view text) const {
  if (is_anchored_) return match_at(text, 0);
  for (std::size_t start = 0; start <= text.size(); ++start) {
    if (!prefix_.empty()) {
      start = text.find(prefix_, start);
      if (start == std::string_view::npos) return std::nullopt;
    }
    if (const auto found = match_at(text, start)) return found;
  }
  return std::nullopt;
}

}  // namespace airlock::rules
