// One entry of `extract:` → a RuleField, with its pattern, format, bounds and default checked and
// compiled. Part of reading a rule file (rule_file.h), apart from it because fields are where most
// keys and most mistakes are.
#pragma once

#include <optional>

#include "rules/file/yaml_reading.h"
#include "rules/match/path_rule.h"

namespace airlock::rules {

// Nothing when the entry cannot be read at all; every mistake in it is added to `complaints`.
std::optional<RuleField> read_field(const YamlNode& name, const YamlNode& node,
                                    Complaints& complaints);

}  // namespace airlock::rules
