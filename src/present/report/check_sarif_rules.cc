// The table of rules as SARIF metadata, with what GitHub's code scanning reads beside it: tags,
// problem.severity, and security-severity, a CVSS-like number that sorts alerts (over 7 is high,
// over 4 medium).
#include <fmt/format.h>

#include "present/report/check_sarif_parts.h"
#include "present/report/explain.h"

namespace airlock::cli {

namespace {

using Json = nlohmann::ordered_json;

bool is_security(const Rule& rule) {
  return rule.stage == Stage::kSecurity;
}

// What the code could do if it ran unjailed: most rules stop a way to files, network or other
// programs. An undefined name only fails; an import form only hides what it brings in.
std::string_view security_severity(RuleCode code) {
  switch (code) {
    case RuleCode::kUndefinedName:
      return "3.0";
    case RuleCode::kImportForm:
    case RuleCode::kForbiddenSyntax:
    case RuleCode::kLookAlike:
      return "5.0";
    default:
      return "8.0";
  }
}

std::string_view problem_severity(Severity severity) {
  return severity == Severity::kNote ? "recommendation" : to_string(severity);
}

std::string help_text(const Rule& rule) {
  std::string out(rule.why);
  if (!rule.bad.empty()) out += fmt::format("\n\nExample:\n{}", rule.bad);
  if (!rule.good.empty()) out += fmt::format("\n\nInstead:\n{}", rule.good);
  return out;
}

Json properties_of(const Rule& rule) {
  Json tags = Json::array({to_string(rule.stage)});
  if (rule.kind != to_string(rule.stage)) tags.push_back(rule.kind);  // tags are a set
  Json out = Json::object();
  out["tags"] = std::move(tags);
  out["problem.severity"] = problem_severity(rule.severity);
  if (is_security(rule)) out["security-severity"] = security_severity(rule.code);
  return out;
}

Json rule_as_sarif(const Rule& rule) {
  Json out = Json::object();
  out["id"] = rule.name;
  out["name"] = rule.sarif_name;
  out["shortDescription"]["text"] = rule.title;
  out["fullDescription"]["text"] = rule.why;
  out["help"]["text"] = help_text(rule);
  out["help"]["markdown"] = rule_as_markdown(rule);
  out["defaultConfiguration"]["level"] = sarif_level(rule.severity);
  out["properties"] = properties_of(rule);
  return out;
}

}  // namespace

Json sarif_rules() {
  Json rules = Json::array();
  for (const Rule& rule : all_rules()) rules.push_back(rule_as_sarif(rule));
  return rules;
}

std::size_t sarif_rule_index(const Rule& rule) {
  std::size_t index = 0;
  for (const Rule& row : all_rules()) {
    if (row.code == rule.code) break;
    ++index;
  }
  return index;
}

std::string_view sarif_level(Severity severity) {
  return to_string(severity);  // SARIF's words are ours: error, warning, note
}

}  // namespace airlock::cli
