// A rule file: YAML text → compiled rules. The only reader of the format: rules that are loaded
// (engine/paths/load_rules), inferred, distilled or drafted all pass through here.
//
// Strict: a key nobody knows is a mistake, not a comment. Reading goes on after a mistake, so that
// a user is told all of them at once, each with its line and column. The text may come from
// strangers: it is bounded in size, depth, rules, fields and expanded globs.
#pragma once

#include <expected>
#include <string_view>
#include <vector>

#include "rules/file/yaml_tree.h"
#include "rules/match/path_rule.h"

namespace airlock::rules {

// All rules or none: a file with one mistake gives problems only, in the order of the file.
std::expected<RuleFile, std::vector<RuleFileProblem>> read_rule_file(std::string_view text);

// The forms of `from:`, for messages.
inline constexpr std::string_view kFromForms =
    "segment(N) (-1 is the file name, 0 the first folder), filename, full_path, rel_path or "
    "hive(KEY)";

}  // namespace airlock::rules
