// YAML → rules, strictly: a key nobody knows is a mistake, and every mistake is told, with its
// place.
#pragma once

#include <expected>
#include <string_view>
#include <vector>

#include "rules/file/yaml_tree.h"
#include "rules/match/path_rule.h"

namespace airlock::rules {

std::expected<RuleFile, std::vector<RuleFileProblem>> read_rule_file(std::string_view text);

// The words that the format knows, for messages and for `rules show`.
inline constexpr std::string_view kFromForms =
    "segment(N) (-1 is the file name, 0 the first folder), filename, full_path, rel_path or "
    "hive(KEY)";

}  // namespace airlock::rules
