#include "wizard/repair.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/rule.h"

namespace airlock::wizard {

namespace {

constexpr std::size_t kMostRepairs = 12;

// Modules in which a bare name is looked for, the likeliest first. What is in two of them (a module
// and a class of one name, like datetime) is decided by how the code uses it.
constexpr std::array<std::string_view, 12> kHomes = {
    "pathlib",   "datetime",     "typing",  "collections", "dataclasses", "enum",
    "functools", "urllib.parse", "decimal", "fractions",   "itertools",   "string"};

const Surface* module_named(const Policy& policy, std::string_view name) {
  const auto found = std::ranges::find(policy.modules, name, &Surface::name);
  return found == policy.modules.end() ? nullptr : &*found;
}

bool offers(const Surface& module, std::string_view name) {
  return std::ranges::find(module.attributes, name) != module.attributes.end();
}

constexpr std::string_view kWord =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

// datetime.strptime(…) and datetime(…) mean the class, datetime.datetime and datetime.timedelta the
// module.
bool means_class(std::string_view code, std::string_view name, const Surface& module) {
  for (std::size_t at = code.find(name); at != std::string_view::npos;
       at = code.find(name, at + 1)) {
    const bool is_attribute = at > 0 && (code[at - 1] == '.' || kWord.contains(code[at - 1]));
    if (is_attribute) continue;
    const std::string_view behind = code.substr(at + name.size());
    if (behind.starts_with('(')) return true;
    if (!behind.starts_with('.')) continue;
    const std::size_t end = behind.find_first_not_of(kWord, 1);
    if (!offers(module, behind.substr(1, end - 1))) return true;
  }
  return false;
}

std::optional<std::string> import_for(std::string_view name, std::string_view code,
                                      const Policy& policy) {
  if (const Surface* module = module_named(policy, name)) {
    if (offers(*module, name) && means_class(code, name, *module))
      return fmt::format("from {0} import {0}", name);
    return fmt::format("import {}", name);
  }
  for (const std::string_view home : kHomes) {
    const Surface* module = module_named(policy, home);
    if (module != nullptr && offers(*module, name))
      return fmt::format("from {} import {}", home, name);
  }
  return {};
}

// Behind what has to come first: comments, a docstring on one line, __future__.
std::size_t place_for_imports(std::string_view code) {
  std::size_t place = 0;
  for (std::size_t at = 0; at < code.size();) {
    std::size_t end = code.find('\n', at);
    end = end == std::string_view::npos ? code.size() : end + 1;
    const std::string_view line = code.substr(at, end - at);
    if (line.starts_with("from __future__")) place = end;
    if (at == 0 && line.starts_with('#')) place = end;
    at = end;
  }
  return place;
}

}  // namespace

std::optional<Repair> repair_imports(const Verdict& verdict, const Policy& policy) {
  std::vector<std::string> lines;
  for (const Finding& finding : verdict.findings) {
    if (finding.severity != Severity::kError) continue;
    if (finding.rule->code != RuleCode::kUndefinedName) return {};
    const auto line = import_for(finding.item, verdict.code, policy);
    if (!line) return {};
    if (std::ranges::find(lines, *line) == lines.end()) lines.push_back(*line);
  }
  if (lines.empty() || lines.size() > kMostRepairs) return {};
  Repair repair;
  std::string imports;
  for (const std::string& line : lines) {
    imports += line + "\n";
    repair.done.push_back("added '" + line + "'");
  }
  repair.code = verdict.code;
  repair.code.insert(place_for_imports(verdict.code), imports);
  return repair;
}

}  // namespace airlock::wizard
