// Matches paths against compiled rules: the innermost loop of bulk extraction.
//
// A rule matches if its glob fits and every field has a value: found in the path, convertible to
// its type, within its bounds, or else its default. Rules are tried by priority, highest first; the
// first match wins.
//
// No path can make this slow, although both rules and paths may come from strangers: a glob only
// ever moves its last star (path_glob.h), and a pattern is an automaton (RE2) or needs no choice at
// all (one_pass.h). Nothing backtracks, so time grows with path times rule.
//
// A Matcher is immutable and shared by threads. A Match is scratch space that keeps its allocations
// from path to path: one for each thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/match/path_rule.h"
#include "rules/match/split_path.h"

namespace airlock::rules {

// The first thing that did not fit.
struct Mismatch {
  enum class Kind : std::uint8_t { kGlob, kNoSegment, kPattern, kType, kBounds };
  Kind kind = Kind::kGlob;
  const PathRule* rule = nullptr;
  const RuleField* field = nullptr;  // unless it is the glob
  std::string_view text;             // what was looked at
};

// Where a field's value came from.
struct Origin {
  std::string_view text;  // before it was converted; part of the path
  bool is_default = false;
};

// What one path gave. `values` may borrow from the path, from `path` and from `scratch`.
struct Match {
  const PathRule* rule = nullptr;
  std::vector<FieldValue> values;  // in the order of the rule's fields
  Mismatch mismatch;               // when no rule matches: that of the rule that came nearest
  SplitPath path;
  std::string scratch;  // of texts that were normalized
};

// Owns the rules; every Match points into them and must not outlive it.
class Matcher {
 public:
  explicit Matcher(RuleFile file) : file_(std::move(file)) {}

  // Borrows `path` as long as `to` is looked at.
  bool match(std::string_view path, Match& to) const;

  const std::vector<PathRule>& rules() const { return file_.rules; }

  // Where the text of one field was found in the path that `match` was about.
  static Origin origin(const RuleField& field, const Match& match);

  // One sentence: "segment(-2) is '2023-02-30', and field 'date' wants a date: …".
  std::string describe_mismatch(const Match& match) const;
  // Why this rule does not match; nothing when it does.
  static std::string why_not(const PathRule& rule, std::string_view path);

 private:
  RuleFile file_;
};

}  // namespace airlock::rules
