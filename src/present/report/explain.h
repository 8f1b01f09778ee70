// The rules of the scan, told to people: `airlock check --explain`, docs/rules.md and the help
// texts in SARIF. Everything is printed from the one table of rules (model/rule.h). Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "model/rule.h"
#include "present/report/style.h"

namespace airlock::cli {

// `airlock check --explain AL203`: one rule on a screen of 80 columns.
std::string rule_page(const Rule& rule, Colour colour);

// Why, the refused example and what to write instead, without a heading. Also SARIF's help text.
std::string rule_as_markdown(const Rule& rule);

// `airlock check --explain all`: docs/rules.md, whole.
std::string rules_as_markdown();

// For a code that does not exist: the likely one, then the list of all. `word` is what the user
// typed, any bytes.
std::string unknown_rule(std::string_view word);

}  // namespace airlock::cli
