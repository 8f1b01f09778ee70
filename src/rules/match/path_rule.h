// A path rule as it is used: read, checked and compiled. Only rules/file/rule_file.h makes these
// from a user's file; matcher.h applies them.
//
// Plain values without behaviour. Once made they never change, so one RuleFile is shared by all
// threads of a bulk run. Everything is compiled up front (globs, patterns, formats, conditions):
// nothing of a rule is parsed again per path.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rules/match/condition.h"
#include "rules/match/field_value.h"
#include "rules/match/path_glob.h"
#include "rules/match/pattern.h"

namespace airlock::rules {

// Where a field's text comes from.
struct FieldSource {
  // One folder or file by its number, the file's name, the path with or without its root, or the
  // value of key=value wherever it stands.
  enum class Kind : std::uint8_t { kSegment, kFilename, kFullPath, kRelPath, kHive };
  Kind kind = Kind::kSegment;
  int index = 0;    // of kSegment; negative counts from the end
  std::string key;  // of kHive, "year=": the = is included, to be compared at once
};

// As the rule file writes it: "segment(-2)", "hive(year)".
std::string text_of(const FieldSource& source);

// What is done to the text before it is converted. Lower and upper case exclude each other;
// rule_file.h refuses a rule that wants both.
struct Normalize {
  bool lowercase = false;
  bool uppercase = false;
  bool strip_leading_zeros = false;

  bool is_any() const { return lowercase || uppercase || strip_leading_zeros; }
};

// validate: "1..12". A side that is null is open.
struct FieldBounds {
  std::string text;
  FieldValue least;
  FieldValue most;
};

// One entry of `extract:`. The text goes through these members from top to bottom: taken `from` the
// path, narrowed by `pattern`, normalized, converted to `type`, checked against `bounds`.
struct RuleField {
  std::string name;
  FieldSource from;
  std::optional<Pattern> pattern;
  std::optional<int> capture;
  ValueType type = ValueType::kString;
  Normalize normalize;
  std::string format_text;
  std::optional<TimeFormat> format;
  std::optional<FieldBounds> bounds;
  std::optional<FieldValue> fallback;  // default:, or null for optional: true
  std::string fallback_text;           // what `fallback.text` is; set when it is used
};

// A tag that a row gets only if `condition` holds for its values. `text` is what the user wrote,
// for reports.
struct TagCondition {
  std::string text;
  Condition condition;
  std::string tag;
};

// One rule: which paths it is about (`glob`), which values it takes from them, which tags it gives.
struct PathRule {
  std::string name;
  std::optional<PathGlob> glob;  // nothing: every path
  std::vector<RuleField> fields;
  std::vector<std::string> tags;
  std::vector<TagCondition> tag_conditions;
  std::int64_t priority = 0;
};

// Highest priority first, and in the order of the file where it is equal.
struct RuleFile {
  std::vector<PathRule> rules;
};

}  // namespace airlock::rules
