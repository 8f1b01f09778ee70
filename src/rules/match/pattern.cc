#include "rules/match/pattern.h"

#include <re2/re2.h>

#include <array>

#include "base/ascii.h"

namespace airlock::rules {

namespace {

// Memory that one compiled pattern and its lazily built states may take.
constexpr std::int64_t kAutomatonBytes = 8 * 1024 * 1024;
// find() keeps an array of them on the stack.
constexpr int kMostGroups = 32;

// A sign of something that RE2 does not have, and what to write instead. Searched in this order in
// a pattern that RE2 refused: (?<= before (?=, which is shorter.
struct Missing {
  std::string_view sign;
  std::string_view advice;
};
// What people bring from other engines. Each has a way that needs no looking back.
constexpr std::array kMissing = {
    Missing{"(?<=",
            "RE2 has no look-behind: match what stands before as well and put the value in a "
            "group, for "
            "example \"id_(\\\\d+)\" instead of \"(?<=id_)\\\\d+\""},
    Missing{"(?<!",
            "RE2 has no negative look-behind: say what may stand before, for example "
            "\"(?:^|[^x])(\\\\d+)\" instead of \"(?<!x)\\\\d+\""},
    Missing{"(?=",
            "RE2 has no look-ahead: match what follows as well and put the value in a group, for "
            "example "
            "\"(\\\\d+)_v\" instead of \"\\\\d+(?=_v)\""},
    Missing{"(?!",
            "RE2 has no negative look-ahead: say what may follow, for example "
            "\"(\\\\d+)(?:[^x]|$)\" instead of \"\\\\d+(?!x)\""},
    Missing{"(?>",
            "RE2 has no atomic groups, and needs none: no pattern goes back here. Write (?: "
            "instead of (?>"},
    Missing{"(?P=",
            "RE2 has no back-references: write the part out again, and compare the two values "
            "where they "
            "are used"},
};

// Only for a pattern that RE2 has refused already; empty when nothing in it is familiar.
std::string advice_for(std::string_view pattern) {
  for (const Missing& one : kMissing) {
    if (pattern.contains(one.sign)) return std::string(one.advice);
  }
  for (std::size_t i = 0; i + 1 < pattern.size(); ++i) {
    if (pattern[i] != '\\') continue;
    if (is_digit(pattern[i + 1]) && pattern[i + 1] != '0')
      return "RE2 has no back-references (\\" + std::string(1, pattern[i + 1]) +
             "): write the part out again, for example \"(\\\\d+)_(\\\\d+)\", and "
             "compare the two values where they are used";
    // The escaped character is no escape itself: \\1 is a backslash and a 1.
    ++i;
  }
  for (const std::string_view sign : {"++", "*+", "?+"}) {
    if (pattern.contains(sign))
      return "Possessive counts are not available, and not needed: no pattern goes back here. "
             "Leave the "
             "second + out";
  }
  return {};
}

}  // namespace

Result<Pattern> Pattern::parse(const std::string& text, std::optional<int> group) {
  if (text.empty()) return fail("the pattern is empty");
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kAutomatonBytes);
  auto automaton = std::make_shared<const re2::RE2>(text, options);
  if (!automaton->ok()) {
    const bool is_repeated = automaton->error_code() == re2::RE2::ErrorRepeatSize;
    const std::string advice =
        is_repeated ? "Counts go up to 1000, those inside of each other multiplied: write + or *, "
                      "which cost nothing here"
                    : advice_for(text);
    return fail("the pattern cannot be used: " + automaton->error() +
                (advice.empty() ? std::string() : ". " + advice));
  }
  const int groups = automaton->NumberOfCapturingGroups();
  if (groups > kMostGroups) return fail("the pattern has more than 32 groups");
  if (group && (*group < 0 || *group > groups))
    return fail("capture is " + std::to_string(*group) + ", the pattern has " +
                (groups == 0   ? "no group"
                 : groups == 1 ? "1 group"
                               : std::to_string(groups) + " groups"));
  Pattern pattern;
  pattern.text_ = text;
  // Group 0 is the whole match.
  pattern.group_ = group.value_or(groups == 0 ? 0 : 1);
  pattern.one_pass_ = OnePass::parse(text, pattern.group_);
  pattern.automaton_ = std::move(automaton);
  return pattern;
}

int Pattern::groups() const {
  return automaton_->NumberOfCapturingGroups();
}

std::optional<std::string_view> Pattern::find(std::string_view in) const {
  if (one_pass_ && in.size() <= OnePass::kLongestText) return one_pass_->find(in);
  std::array<re2::StringPiece, kMostGroups + 1> found;
  if (!automaton_->Match({in.data(), in.size()}, 0, in.size(), re2::RE2::UNANCHORED, found.data(),
                         group_ + 1))
    return std::nullopt;
  const re2::StringPiece& value = found[static_cast<std::size_t>(group_)];
  // An optional group that took no part, unlike one that matched nothing.
  if (value.data() == nullptr) return std::nullopt;
  return std::string_view(value.data(), value.size());
}

}  // namespace airlock::rules
