// One entry of `extract:` → a RuleField.
#pragma once

#include <optional>

#include "rules/file/yaml_reading.h"
#include "rules/match/path_rule.h"

namespace airlock::rules {

// Nothing when something is wrong with it; all of it is then told.
std::optional<RuleField> read_field(const YamlNode& name, const YamlNode& node,
                                    Complaints& complaints);

}  // namespace airlock::rules
