// The parts of a SARIF log that are worth a test of their own: the names of files as URIs, the
// rules as metadata.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "model/rule.h"

namespace airlock::cli {

inline constexpr std::string_view kSourceRoot = "%SRCROOT%";

// An artifactLocation. Relative names stay relative to kSourceRoot ("./" is dropped); absolute ones
// become file URIs. Every byte outside RFC 3986's unreserved characters is percent-encoded, so any
// name gives a valid URI.
nlohmann::ordered_json sarif_location(std::string_view file);

// tool.driver.rules: all rules, in the order of all_rules(), so a rule's index there is its
// ruleIndex.
nlohmann::ordered_json sarif_rules();
std::size_t sarif_rule_index(const Rule& rule);

std::string_view sarif_level(Severity severity);

}  // namespace airlock::cli
