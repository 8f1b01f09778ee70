// Rows of a bulk job that a rule makes: the lines of engine/bulk/rows.h, straight from the values
// of a match.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/match/matcher.h"

namespace airlock {

// Dates and times become text, as ISO 8601 writes them.
void append_json_value(std::string& out, const rules::FieldValue& value);
// The fields of a match as an object, as they stand under "data" in a row.
void append_json_data(std::string& out, const rules::Match& match);
// The tags that hold for a match: the rule's own, then those of its conditions. "" when the rule
// has none.
void append_tags(std::string& out, const rules::Match& match);

// Rows of one set of rules. What is the same in every row, the fields' names as JSON, is made once.
// Shared by threads; each brings a Match of its own.
class RuleRows {
 public:
  explicit RuleRows(const rules::Matcher& matcher);

  // One line for `path`, whether a rule matches or not. True when one does.
  bool append(std::string& out, std::string_view path, rules::Match& scratch) const;

 private:
  const rules::Matcher& matcher_;
  // What stands between the values, made once for each rule.
  struct Texts {
    std::vector<std::string> keys;  // , "ok": true, "data": {"mission_id": and ,"date":
    std::string end;
    bool has_tags = false;
  };
  std::vector<Texts> texts_;
};

}  // namespace airlock
