// The hot path: rules that are compiled, paths that are matched in place. A Match is used again for
// path after path and keeps what it has allocated; one for each thread, while the Matcher is shared
// and never changes.
//
// A rule matches when its glob fits and every field has a value: found, of its type, within its
// bounds, or else its default. The first rule that matches wins, highest priority first.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/match/path_rule.h"
#include "rules/match/split_path.h"

namespace airlock::rules {

// The first thing that did not fit.
struct Misfit {
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

struct Match {
  const PathRule* rule = nullptr;
  std::vector<FieldValue> values;  // in the order of the rule's fields
  Misfit misfit;                   // when no rule matches: that of the rule that came nearest
  SplitPath path;
  std::string scratch;  // of texts that were normalized
};

class Matcher {
 public:
  explicit Matcher(RuleFile file) : file_(std::move(file)) {}

  // Borrows `path` as long as `to` is looked at.
  bool match(std::string_view path, Match& to) const;

  const std::vector<PathRule>& rules() const { return file_.rules; }

  // Where the text of one field was found in the path that `match` was about.
  static Origin origin(const RuleField& field, const Match& match);

  // One sentence: "segment(-2) is '2023-02-30', and field 'date' wants a date: …".
  std::string describe_misfit(const Match& match) const;
  // Why this rule does not match; nothing when it does.
  static std::string why_not(const PathRule& rule, std::string_view path);

 private:
  RuleFile file_;
};

}  // namespace airlock::rules
