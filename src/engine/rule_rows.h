// Rows of a bulk job that a rule makes: the lines of engine/rows.h, straight from the values of a
// match.
#pragma once

#include <string>
#include <string_view>

#include "rules/matcher.h"

namespace airlock {

void append_json_value(std::string& out, const rules::FieldValue& value);
// {"mission_id":42,"date":"2024-01-15"}
void append_json_data(std::string& out, const rules::Match& match);
// The tags that hold for a match: the rule's own, then those of its conditions. "" when the rule
// has none.
void append_tags(std::string& out, const rules::Match& match);

// One line for `path`, whether a rule matches or not. True when one does.
bool append_rule_row(std::string& out, std::string_view path, const rules::Matcher& matcher,
                     rules::Match& scratch);

}  // namespace airlock
