// A search, not an inference: every candidate (a place in the path, a pattern, a type) is written
// as a rule and asked for all samples; the first that gives every value is taken. So what is found
// is right on the samples by construction, and the held-out paths test the rest.
#include "engine/approve/distill.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/ascii.h"
#include "engine/bulk/rule_rows.h"
#include "rules/file/rule_file.h"
#include "rules/infer/column_plan.h"
#include "rules/infer/infer.h"
#include "rules/infer/rule_text.h"
#include "rules/infer/tokens.h"
#include "rules/match/split_path.h"

namespace airlock {

namespace {

// ---- ways in which code tells paths apart
//
// By extension, by depth, by a folder, by the word that a segment begins with. Each is a function
// from a path to the glob of those that are alike; "" for a path that this way cannot tell from
// others. With them one rule is looked for in each branch of a program. Pure.

using Branching = std::function<std::string(std::string_view path)>;

// "**" and then the segments from `from_end` on, of which the first is `piece`.
std::string ending_glob(std::string_view piece, std::size_t from_end) {
  std::string glob = "**/" + std::string(piece);
  for (std::size_t i = 1; i < from_end; ++i) glob += "/*";
  return glob;
}

std::string by_extension(std::string_view path) {
  rules::SplitPath split;
  split.split(path);
  const std::string_view name = split.filename();
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return {};
  return "**/*" + rules::quote_glob(name.substr(dot));
}

std::string by_depth(std::string_view path) {
  rules::SplitPath split;
  split.split(path);
  std::string glob;
  for (std::size_t i = 0; i < split.size(); ++i) glob += i == 0 ? "*" : "/*";
  // Without a slash a glob is about the name, in any folder.
  return split.size() == 1 ? std::string() : glob;
}

std::string by_segment(std::string_view path, std::size_t from_end) {
  rules::SplitPath split;
  split.split(path);
  if (split.size() < from_end) return {};
  return ending_glob(rules::quote_glob(split.segment(split.size() - from_end)), from_end);
}

std::string by_first_word(std::string_view path, std::size_t from_end) {
  rules::SplitPath split;
  split.split(path);
  if (split.size() < from_end) return {};
  const std::string_view segment = split.segment(split.size() - from_end);
  std::size_t letters = 0;
  while (letters < segment.size() && is_letter(segment[letters])) ++letters;
  if (letters == 0) return {};
  return ending_glob(rules::quote_glob(segment.substr(0, letters)) + "*", from_end);
}

std::string by_first_folder(std::string_view path, std::size_t from_start) {
  rules::SplitPath split;
  split.split(path);
  if (split.size() <= from_start + 1) return {};
  std::string glob;
  for (std::size_t i = 0; i < from_start; ++i) glob += "*/";
  return glob + rules::quote_glob(split.segment(from_start)) + "/**";
}

// The plainer first. `deepest`: how many segments from the end are looked at.
std::vector<Branching> branchings(std::size_t deepest) {
  std::vector<Branching> all = {by_extension, by_depth};
  for (std::size_t i = 2; i <= deepest; ++i)
    all.emplace_back([i](std::string_view path) { return by_segment(path, i); });
  for (std::size_t i = 0; i < deepest; ++i)
    all.emplace_back([i](std::string_view path) { return by_first_folder(path, i); });
  for (std::size_t i = 1; i <= deepest; ++i)
    all.emplace_back([i](std::string_view path) { return by_first_word(path, i); });
  return all;
}

// ---- fields

// Rows learnt from: each candidate is tried on all of them.
constexpr std::size_t kMostLearnt = 500;
// Segments that are tried, from either end.
constexpr std::size_t kDeepest = 12;
// Folders by which code may branch, and how many branches it may have: more would be a table, not a
// rule that a person can read.
constexpr std::size_t kDeepestBranch = 6;
constexpr std::size_t kMostBranches = 6;

// Where a value could come from.
struct FieldCandidate {
  std::string from;
  std::string pattern;
};

// Patterns that people write most, tried on every segment.
const std::vector<std::string>& common_patterns() {
  static const std::vector<std::string> kPatterns = {
      "",
      "(\\d+)",
      "(\\d+)$",
      "^(\\d+)",
      "=(.+)$",
      "^([^_]+)_",
      "^([^-]+)-",
      "_([^_]+)$",
      "-([^-]+)$",
      "^[^_]+_([^_]+)",
      "^[^-]+-([^-]+)",
      "^[^_]+_(.+)$",
      "^[^-]+-(.+)$",
      "^([A-Za-z]+)",
      "([A-Za-z]+)$",
      "(\\d{4}-\\d{2}-\\d{2})",
      "(\\d{8}T\\d{6}Z?)",
      "(\\d{8})",
      "(\\d{4})",
      "(\\d{4})-\\d{2}",
      "\\d{4}-(\\d{2})",
      "\\d{4}-\\d{2}-(\\d{2})",
      "^(\\d{4})\\d{4}",
      "^\\d{4}(\\d{2})\\d{2}",
      "^\\d{6}(\\d{2})",
  };
  return kPatterns;
}

// The same for the file's name, which has an extension.
const std::vector<std::string>& filename_patterns() {
  static const std::vector<std::string> kPatterns = {
      "^(.+)\\.[^.]*$",        "^([^.]+)\\.",        "\\.([^.]+)$",     "(\\.[^.]+)$",
      "_([^_.]+)\\.[^.]*$",    "-([^-.]+)\\.[^.]*$", "(\\d+)\\.[^.]*$", "^[^_]+_([^_.]+)",
      "^[^_]+_[^_]+_([^_.]+)", "^[^-]+-([^-.]+)",    "^[^.]+\\.(.+)$"};
  return kPatterns;
}

std::string fields_yaml(const std::vector<DistilledField>& fields) {
  std::string text = "    extract:\n";
  for (const DistilledField& field : fields) {
    text += "      " + rules::yaml_key(field.name) + ": { from: " + field.from;
    if (!field.pattern.empty()) text += ", pattern: " + rules::yaml_quoted(field.pattern);
    if (field.type != "string") text += ", type: " + field.type;
    if (!field.normalize.empty()) text += ", normalize: " + field.normalize;
    if (!field.fallback.empty()) text += ", default: " + field.fallback;
    text += " }\n";
  }
  return text;
}

std::string rules_yaml(const std::vector<DistilledRule>& rules) {
  std::string text = "version: 1\nrules:\n";
  for (const DistilledRule& rule : rules) {
    text += "  - name: " + rules::yaml_quoted(rule.name) + "\n";
    if (!rule.glob.empty()) text += "    glob: " + rules::yaml_quoted(rule.glob) + "\n";
    text += fields_yaml(rule.fields);
  }
  return text;
}

std::string rule_yaml(const std::vector<DistilledField>& fields) {
  return rules_yaml({{"distilled", "", fields}});
}

using Rows = std::vector<const SampleRow*>;

// The values of one field, row by row; "null" where there is none.
using Column = std::vector<std::string>;

enum class ColumnKind { kText, kInteger, kFloat, kBoolean, kOther, kNothing };

// One kind for all values, nulls aside; kOther when they differ.
ColumnKind kind_of(const Column& values) {
  ColumnKind kind = ColumnKind::kNothing;
  for (const std::string& value : values) {
    if (value == "null") continue;
    const auto json = nlohmann::json::parse(value, nullptr, false);
    const ColumnKind one = json.is_string()           ? ColumnKind::kText
                           : json.is_number_integer() ? ColumnKind::kInteger
                           : json.is_number()         ? ColumnKind::kFloat
                           : json.is_boolean()        ? ColumnKind::kBoolean
                                                      : ColumnKind::kOther;
    if (kind != ColumnKind::kNothing && kind != one) return ColumnKind::kOther;
    kind = one;
  }
  return kind;
}

struct SourceForm {
  std::string type;
  std::string normalize;
};

// What a rule can make of text so that JSON of this kind comes out. A date or datetime is text in
// JSON.
std::vector<SourceForm> forms_for(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kText:
      return {{"string", ""},
              {"string", "lowercase"},
              {"string", "uppercase"},
              {"string", "strip_leading_zeros"},
              {"date", ""},
              {"datetime", ""}};
    case ColumnKind::kInteger:
      return {{"integer", ""}};
    case ColumnKind::kFloat:
      return {{"float", ""}};
    case ColumnKind::kBoolean:
      return {{"boolean", ""}};
    default:
      return {};
  }
}

// The fields of some rows, each by itself.
class FieldSearch {
 public:
  explicit FieldSearch(const Rows& rows) : learnt_(rows) { find_candidates(); }

  std::vector<DistilledField> run() const {
    std::vector<DistilledField> fields;
    for (const std::string& name : field_names()) fields.push_back(find(name));
    return fields;
  }

 private:
  void find_candidates() {
    std::size_t deepest = 0;
    rules::SplitPath split;
    std::vector<std::string_view> paths;
    for (const SampleRow* row : learnt_) {
      split.split(row->path);
      deepest = std::max(deepest, split.size());
      paths.push_back(row->path);
    }
    deepest = std::min(deepest, kDeepest);
    // Order matters, because the first that agrees is taken: what inference proposes reads best,
    // places from the end are the same on every machine, those from the root are not.
    for (const rules::InferredRule& rule : rules::infer_rules(paths, {}).rules)
      for (const rules::InferredField& field : rule.fields) add(field.from, field.pattern);
    for (std::size_t i = 1; i <= deepest; ++i)
      for (const std::string& pattern : common_patterns())
        add(i == 1 ? "filename" : "segment(-" + std::to_string(i) + ")", pattern);
    for (const std::string& pattern : filename_patterns()) add("filename", pattern);
    for (std::size_t i = 0; i < deepest; ++i)
      for (const std::string& pattern : common_patterns())
        add("segment(" + std::to_string(i) + ")", pattern);
    add("full_path", "");
    add("rel_path", "");
    for (const char* pattern : {"(\\d{4}-\\d{2}-\\d{2})", "(\\d{8})", "(\\d{4})"})
      add("rel_path", pattern);
  }

  void add(const std::string& from, const std::string& pattern) {
    candidates_.push_back({from, pattern});
  }

  std::vector<std::string> field_names() const {
    std::vector<std::string> names;
    std::set<std::string> seen;
    for (const SampleRow* row : learnt_)
      for (const auto& [name, value] : row->fields)
        if (seen.insert(name).second) names.push_back(name);
    return names;
  }

  Column column(const std::string& name) const {
    Column values;
    for (const SampleRow* row : learnt_) {
      const auto found =
          std::ranges::find(row->fields, name, &std::pair<std::string, std::string>::first);
      values.push_back(found == row->fields.end() ? "null" : found->second);
    }
    return values;
  }

  DistilledField find(const std::string& name) const {
    DistilledField field;
    field.name = name;
    const Column values = column(name);
    const ColumnKind kind = kind_of(values);
    if (kind == ColumnKind::kOther || kind == ColumnKind::kNothing) {
      field.why_not = kind == ColumnKind::kOther
                          ? "its values are lists, objects or of several types"
                          : "it is null in every sample";
      return field;
    }
    const bool has_null = std::ranges::find(values, "null") != values.end();
    for (const FieldCandidate& candidate : candidates_) {
      for (const SourceForm& form : forms_for(kind)) {
        field.from = candidate.from;
        field.pattern = candidate.pattern;
        field.type = form.type;
        field.normalize = form.normalize;
        field.fallback = has_null ? "null" : "";
        if (!agrees(field, values)) continue;
        field.is_found = true;
        return field;
      }
    }
    return constant(std::move(field), values);
  }

  // The same in every sample: a pattern that finds nothing, and the value as its default.
  static DistilledField constant(DistilledField field, const Column& values) {
    const bool is_constant = std::ranges::all_of(
        values, [&](const std::string& value) { return value == values.front(); });
    field.from = "filename";
    // No file name is empty, so this never matches.
    field.pattern = "^$";
    field.type = kind_of(values) == ColumnKind::kText      ? "string"
                 : kind_of(values) == ColumnKind::kInteger ? "integer"
                 : kind_of(values) == ColumnKind::kFloat   ? "float"
                                                           : "boolean";
    field.normalize.clear();
    field.fallback = values.front();
    field.is_found = is_constant;
    if (!is_constant)
      field.why_not = "no segment or pattern gives its values: it is computed, or looked up";
    return field;
  }

  // By the real matcher, from the text of the rule: what is tested is what a user would get.
  bool agrees(const DistilledField& field, const Column& values) const {
    auto read = rules::read_rule_file(rule_yaml({field}));
    if (!read) return false;
    const rules::Matcher matcher(std::move(*read));
    rules::Match match;
    for (std::size_t i = 0; i < learnt_.size(); ++i) {
      if (!matcher.match(learnt_[i]->path, match)) return false;
      std::string value;
      append_json_value(value, match.values[0]);
      if (value != values[i] && !is_same(value, values[i])) return false;
    }
    return true;
  }

  // 1e3 and 1000.0 are the same number; 1 and 1.0 are not the same type.
  static bool is_same(const std::string& a, const std::string& b) {
    const auto left = nlohmann::json::parse(a, nullptr, false);
    const auto right = nlohmann::json::parse(b, nullptr, false);
    return !left.is_discarded() && left == right && left.type() == right.type();
  }

  const Rows& learnt_;
  std::vector<FieldCandidate> candidates_;
};

bool are_all_found(const std::vector<DistilledField>& fields) {
  return !fields.empty() && std::ranges::all_of(fields, &DistilledField::is_found);
}

class Distiller {
 public:
  explicit Distiller(const std::vector<SampleRow>& rows) : rows_(rows) {}

  Result<Distillation> run() {
    split();
    // Fewer would agree with almost any pattern.
    if (answered_.size() < 3)
      return refused("fewer than three paths gave an answer: there is nothing to learn from");
    result_.learnt_from = answered_.size();
    result_.fields = FieldSearch(answered_).run();
    if (are_all_found(result_.fields)) result_.rules = {{"distilled", "", result_.fields}};
    // A field that is null in some rows may be the sign of a branch. One rule for all would then be
    // right by coincidence only, so branches are tried as well.
    const bool has_nulls = std::ranges::find(result_.fields, "null", &DistilledField::fallback) !=
                           result_.fields.end();
    const bool is_one_rule =
        !result_.rules.empty() && !has_nulls && refuses_what_python_refuses(result_.rules);
    if (!is_one_rule) find_branches();
    result_.is_complete = !result_.rules.empty();
    if (result_.rules.empty()) keep_what_was_found();
    if (result_.rules.empty()) return std::move(result_);
    result_.yaml = rules_yaml(result_.rules);
    compare();
    return std::move(result_);
  }

 private:
  // Two of three rows are learnt from; the others, and all beyond kMostLearnt, are held out.
  void split() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const bool is_learnt = i % 3 != 2 && learnt_.size() < kMostLearnt;
      (is_learnt ? learnt_ : held_out_).push_back(&rows_[i]);
      if (is_learnt && rows_[i].ok) answered_.push_back(&rows_[i]);
    }
  }

  // A rule that answers where the code gave no answer is not the same.
  bool refuses_what_python_refuses(const std::vector<DistilledRule>& rules) const {
    auto read = rules::read_rule_file(rules_yaml(rules));
    if (!read) return false;
    const rules::Matcher matcher(std::move(*read));
    rules::Match match;
    return std::ranges::none_of(
        learnt_, [&](const SampleRow* row) { return !row->ok && matcher.match(row->path, match); });
  }

  void keep_what_was_found() {
    std::vector<DistilledField> found;
    std::ranges::copy_if(result_.fields, std::back_inserter(found), &DistilledField::is_found);
    if (!found.empty()) result_.rules = {{"distilled", "", found}};
  }

  // ---- code that branches ----

  // Takes the first way of dividing the paths for which every part has one rule, or no answers at
  // all.
  void find_branches() {
    for (const Branching& branch_of : branchings(kDeepestBranch)) {
      std::map<std::string, Rows> parts;
      for (const SampleRow* row : learnt_) parts[branch_of(row->path)].push_back(row);
      if (parts.size() < 2 || parts.size() > kMostBranches) continue;
      auto rules = rules_of(parts);
      if (rules.empty() || !refuses_what_python_refuses(rules)) continue;
      result_.rules = std::move(rules);
      result_.fields.clear();
      for (const DistilledRule& rule : result_.rules)
        for (const DistilledField& field : rule.fields)
          if (std::ranges::find(result_.fields, field.name, &DistilledField::name) ==
              result_.fields.end())
            result_.fields.push_back(field);
      return;
    }
  }

  static std::vector<DistilledRule> rules_of(const std::map<std::string, Rows>& parts) {
    std::vector<DistilledRule> rules;
    for (const auto& [glob, rows] : parts) {
      const auto answered = std::ranges::count_if(rows, &SampleRow::ok);
      if (answered == 0) continue;
      // A branch with too few samples to learn from, or one that no glob can describe.
      if (answered < 3 || glob.empty()) return {};
      Rows fine;
      std::ranges::copy_if(rows, std::back_inserter(fine), &SampleRow::ok);
      DistilledRule rule{"distilled " + std::to_string(rules.size() + 1), glob,
                         FieldSearch(fine).run()};
      if (!are_all_found(rule.fields)) return {};
      rules.push_back(std::move(rule));
    }
    return rules;
  }

  void compare() {
    auto read = rules::read_rule_file(result_.yaml);
    if (!read) return;
    const rules::Matcher matcher(std::move(*read));
    Comparer comparer(matcher, 5);
    for (const SampleRow* row : held_out_) comparer.add(row->parts());
    result_.held_out = comparer.result();
  }

  const std::vector<SampleRow>& rows_;
  Rows learnt_;
  Rows answered_;  // of these, the ones that Python has an answer for
  Rows held_out_;
  Distillation result_;
};

}  // namespace

RowParts SampleRow::parts() const {
  RowParts parts;
  parts.path = path;
  parts.ok = ok;
  parts.data = data;
  return parts;
}

Result<Distillation> distill(const std::vector<SampleRow>& rows) {
  return Distiller(rows).run();
}

}  // namespace airlock
