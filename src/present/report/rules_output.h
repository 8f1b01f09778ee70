// What `airlock rules` prints, for people and as JSON. Pure functions; everything from a rule file
// or a path is made printable here.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/paths/load_rules.h"
#include "engine/paths/test_rules.h"
#include "present/report/style.h"

namespace airlock::cli {

// "rule.yaml:3:5: field 'year': …", one line for each.
std::string problems_as_text(std::string_view file,
                             std::span<const rules::RuleFileProblem> problems);

struct CheckedRuleFile {
  std::string file;
  LoadedRules loaded;
};

std::string rules_check_as_text(std::span<const CheckedRuleFile> files, Colour colour);
std::string rules_check_as_json(std::span<const CheckedRuleFile> files);

std::string rules_as_text(const rules::RuleFile& file, Colour colour);
std::string rules_as_json(const rules::RuleFile& file);

std::string rules_test_as_text(const RuleTest& test, Colour colour);
std::string rules_test_as_json(const RuleTest& test);

std::string explanation_as_text(std::string_view path, const rules::Matcher& matcher,
                                Colour colour);
std::string explanation_as_json(std::string_view path, const rules::Matcher& matcher);

}  // namespace airlock::cli
