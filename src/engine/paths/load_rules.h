// A rule file from disk, ready to match. What is wrong with its text is a list of problems, not an
// Error: commands show all of them with their places. The hash is of the text as it was read, and
// says in reports and receipts which rules they were.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "base/result.h"
#include "rules/file/yaml_tree.h"
#include "rules/match/matcher.h"

namespace airlock {

// The text is kept whole: problems are shown with their lines.
struct LoadedRules {
  std::string text;
  std::string sha256;
  std::expected<rules::RuleFile, std::vector<rules::RuleFileProblem>> rules;
};

// "-" is standard input. An Error: it cannot be read at all.
Result<LoadedRules> load_rules(const std::string& file);

// The same for a text that is here already.
LoadedRules load_rules_text(std::string text);

// By its ending: .yaml or .yml.
bool is_rule_file_name(std::string_view name);

}  // namespace airlock
