// Repairs only what the vetter has complained about, and only by adding or narrowing imports at the
// top: no other line of the program changes, so line numbers move by the lines that were added and
// no more.
#include "wizard/repair.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/rule.h"

namespace airlock::wizard {

namespace {

constexpr std::size_t kMostRepairs = 12;  // imports; a program that lacks more lacks something else

// Modules in which a bare name is looked for, the likeliest first. What is in two of them (a module
// and a class of one name, like datetime) is decided by how the code uses it.
constexpr std::array<std::string_view, 18> kModulesSearched = {
    "pathlib",   "datetime",     "typing",  "collections", "dataclasses", "enum",
    "functools", "urllib.parse", "decimal", "fractions",   "itertools",   "string",
    "math",      "base64",       "json",    "re",          "uuid",        "os.path"};

const Surface* module_named(const Policy& policy, std::string_view name) {
  const auto found = std::ranges::find(policy.modules, name, &Surface::name);
  return found == policy.modules.end() ? nullptr : &*found;
}

// Names that the policy spells out. A module with "*" is not searched for bare names: it would
// claim every one.
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
  for (const std::string_view searched : kModulesSearched) {
    const Surface* module = module_named(policy, searched);
    if (module != nullptr && offers(*module, name))
      return fmt::format("from {} import {}", searched, name);
  }
  return {};
}

// With its line break, if it has one.
std::string_view line_at(std::string_view code, std::size_t at) {
  return code.substr(at, std::min(code.find('\n', at), code.size() - 1) + 1 - at);
}

// Behind a docstring and the imports of __future__, which have to come first; else 0, above any
// comment.
std::size_t place_for_imports(std::string_view code) {
  std::size_t place = 0;
  for (std::size_t at = 0; at < code.size();) {
    const std::string_view line = line_at(code, at);
    const std::string_view quotes = line.substr(0, 3);
    if (line.starts_with("from __future__")) {
      const std::size_t paren = line.find('(');
      const std::size_t close = paren == std::string_view::npos ? at : code.find(')', at);
      if (close == std::string_view::npos) return place;
      at = close == at ? at + line.size() : close + line_at(code, close).size();
      place = at;
    } else if (quotes == "\"\"\"" || quotes == "'''") {
      const std::size_t close = code.find(quotes, at + 3);
      if (close == std::string_view::npos) return place;
      at = close + line_at(code, close).size();
      place = at;
    } else if (line.starts_with('#') || line == "\n") {
      at += line.size();
    } else {
      return place;
    }
  }
  return place;
}

// `import os` where os.path was meant, the commonest slip: the only form of os that is allowed.
bool narrow_os(std::string& code, const Policy& policy) {
  constexpr std::string_view kWide = "import os\n";
  if (module_named(policy, "os") != nullptr || module_named(policy, "os.path") == nullptr)
    return false;
  for (std::size_t at = code.find(kWide); at != std::string::npos; at = code.find(kWide, at + 1)) {
    if (at > 0 && code[at - 1] != '\n') continue;
    code.replace(at, kWide.size(), "import os.path\n");
    return true;
  }
  return false;
}

}  // namespace

std::optional<ImportRepair> repair_imports(const Verdict& verdict, const Policy& policy) {
  ImportRepair repair;
  repair.code = verdict.code;
  std::vector<std::string> lines;
  for (const Finding& finding : verdict.findings) {
    if (finding.severity != Severity::kError) continue;
    if (finding.rule->code == RuleCode::kForbiddenImport && finding.item == "os") {
      if (!narrow_os(repair.code, policy)) return {};
      repair.done.emplace_back("'import os' is 'import os.path' now");
      continue;
    }
    // All or nothing: with another error left the program fails anyway, and a model that reads
    // about half of its mistakes mends the wrong half.
    if (finding.rule->code != RuleCode::kUndefinedName) return {};
    auto line = import_for(finding.item, verdict.code, policy);
    // The vetter knows the policy too.
    if (!line) line = suggested_import(finding.suggestion);
    if (!line) return {};
    if (std::ranges::find(lines, *line) == lines.end()) lines.push_back(std::move(*line));
  }
  if (lines.size() + repair.done.size() == 0 || lines.size() > kMostRepairs) return {};
  std::string imports;
  for (const std::string& line : lines) {
    imports += line + "\n";
    repair.done.push_back("added '" + line + "'");
  }
  repair.code.insert(place_for_imports(repair.code), imports);
  return repair;
}

}  // namespace airlock::wizard
