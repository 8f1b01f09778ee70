// A rule's regular expression: one pass where that is enough (one_pass.h), RE2 where not. Neither
// can hang: rules may come from strangers, and time grows with the text and no faster.
//
// Immutable after parse(), shared by threads. A copy shares the compiled automaton.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "rules/match/one_pass.h"

namespace re2 {
class RE2;
}

namespace airlock::rules {

class Pattern {
 public:
  // `group`: which one is the value; nothing: the first, or the whole match when there is none. An
  // Error says what is wrong, and what to write instead of what RE2 does not have.
  static Result<Pattern> parse(const std::string& text, std::optional<int> group);

  // The value, where the pattern is found first. An optional group that took no part is no value.
  std::optional<std::string_view> find(std::string_view in) const;

  const std::string& text() const { return text_; }
  // For tests and reports; find() gives the same answer either way.
  bool is_one_pass() const { return one_pass_.has_value(); }
  int groups() const;

 private:
  std::string text_;
  // Always there: it takes over when a text is too long for one pass.
  std::shared_ptr<const re2::RE2> automaton_;
  std::optional<OnePass> one_pass_;
  int group_ = 0;
};

}  // namespace airlock::rules
