#include "rules/match/matcher.h"

#include <algorithm>
#include <compare>
#include <optional>

#include "base/ascii.h"
#include "base/printable.h"
#include "base/utf8.h"

namespace airlock::rules {

namespace {

// Of a path or pattern in a message.
constexpr std::size_t kShownBytes = 120;
// How Hive and Spark write that a partition has no value.
constexpr std::string_view kHiveNull = "__HIVE_DEFAULT_PARTITION__";

// The value of the first segment `key=value`; nothing when there is none, or when it stands for
// null.
std::optional<std::string_view> hive_value(const SplitPath& path, std::string_view key) {
  for (std::size_t i = 0; i < path.size(); ++i) {
    const std::string_view segment = path.segment(i);
    if (!segment.starts_with(key)) continue;
    const std::string_view value = segment.substr(key.size());
    if (value != kHiveNull) return value;
    return std::nullopt;
  }
  return std::nullopt;
}

// What a field looks at; nothing when the path has no such segment.
std::optional<std::string_view> source_text(const FieldSource& from, const SplitPath& path) {
  switch (from.kind) {
    case FieldSource::Kind::kSegment: {
      const auto size = static_cast<std::ptrdiff_t>(path.size());
      const std::ptrdiff_t at = from.index < 0 ? size + from.index : from.index;
      if (at < 0 || at >= size) return std::nullopt;
      return path.segment(static_cast<std::size_t>(at));
    }
    case FieldSource::Kind::kFilename:
      if (path.size() == 0) return std::nullopt;
      return path.filename();
    case FieldSource::Kind::kFullPath:
      return path.full_path();
    case FieldSource::Kind::kRelPath:
      return path.rel_path();
    case FieldSource::Kind::kHive:
      return hive_value(path, from.key);
  }
  return std::nullopt;
}

// ASCII alone: what upper and lower case are elsewhere depends on the language. A single zero stays
// when all digits are zeros, and negative numbers are left as they are.
std::string_view normalized(std::string_view text, const Normalize& how, std::string& scratch) {
  if (how.strip_leading_zeros) {
    const bool is_negative = text.starts_with('-');
    std::string_view digits = is_negative ? text.substr(1) : text;
    const std::size_t zeros = std::min(digits.find_first_not_of('0'), digits.size());
    const bool is_zero = zeros == digits.size();
    if (zeros > 0 && !is_negative) text = digits.substr(is_zero ? zeros - 1 : zeros);
  }
  if (!how.lowercase && !how.uppercase) return text;
  const std::size_t start = scratch.size();
  for (const char c : text) {
    const bool is_turned = (how.lowercase && is_upper(c)) || (how.uppercase && is_lower(c));
    scratch += static_cast<char>(is_turned ? c ^ 0x20 : c);
  }
  return std::string_view(scratch).substr(start);
}

bool is_within(const FieldValue& value, const FieldBounds& bounds) {
  using Kind = FieldValue::Kind;
  return (bounds.least.kind == Kind::kNull || is_at_most(bounds.least, value)) &&
         (bounds.most.kind == Kind::kNull || is_at_most(value, bounds.most));
}

// The value that a path without one gets.
FieldValue fallback_of(const RuleField& field) {
  FieldValue value = *field.fallback;
  if (value.kind == FieldValue::Kind::kText) value.text = field.fallback_text;
  return value;
}

enum class Fit { kYes, kNo };

// One field of one path: its value in `value`, or the reason in `to.mismatch`. A default stands in
// for text that is missing, never for text that is wrong: a malformed date is a misfit.
Fit fit_field(const PathRule& rule, const RuleField& field, Match& to, FieldValue& value) {
  const auto miss = [&](Mismatch::Kind kind, std::string_view text) {
    // The first rule whose glob fitted is the one that the user meant, most likely.
    if (to.mismatch.rule == nullptr) to.mismatch = {kind, &rule, &field, text};
    return Fit::kNo;
  };
  const auto source = source_text(field.from, to.path);
  auto found = source;
  if (source && field.pattern) found = field.pattern->find(*source);
  if (!found) {
    if (!field.fallback) {
      return miss(source ? Mismatch::Kind::kPattern : Mismatch::Kind::kNoSegment,
                  source.value_or(""));
    }
    value = fallback_of(field);
    return Fit::kYes;
  }
  std::string_view text = *found;
  if (field.normalize.is_any()) text = normalized(text, field.normalize, to.scratch);
  if (!convert_to(value, text, field.type, field.format ? &*field.format : nullptr))
    return miss(Mismatch::Kind::kType, text);
  if (field.bounds && !is_within(value, *field.bounds)) return miss(Mismatch::Kind::kBounds, text);
  return Fit::kYes;
}

// Values are views into the scratch space, so it must not reallocate while a rule is matched. No
// value is longer than the path.
void make_room(const PathRule& rule, Match& to) {
  std::size_t bytes = 0;
  for (const RuleField& field : rule.fields) {
    if (field.normalize.lowercase || field.normalize.uppercase) bytes += to.path.full_path().size();
  }
  to.scratch.clear();
  if (bytes > to.scratch.capacity()) to.scratch.reserve(bytes);
}

// The glob first: it is the cheapest test and rules out nearly every rule.
Fit fit_rule(const PathRule& rule, Match& to) {
  if (rule.glob && !rule.glob->matches(to.path)) return Fit::kNo;
  make_room(rule, to);
  to.values.resize(rule.fields.size());
  for (std::size_t i = 0; i < rule.fields.size(); ++i) {
    if (fit_field(rule, rule.fields[i], to, to.values[i]) == Fit::kNo) return Fit::kNo;
  }
  to.rule = &rule;
  return Fit::kYes;
}

std::string quoted_start(std::string_view text) {
  return "'" + printable(cut_utf8(text, kShownBytes)) + (text.size() > kShownBytes ? "…'" : "'");
}

// Of a field. The glob has its own words, made by whoever asks.
std::string describe(const Mismatch& mismatch) {
  const RuleField& field = *mismatch.field;
  const std::string name = "field '" + printable(field.name) + "': ";
  const std::string from = text_of(field.from);
  switch (mismatch.kind) {
    case Mismatch::Kind::kNoSegment:
      return name + "the path has no " + from;
    case Mismatch::Kind::kPattern:
      return name + from + " is " + quoted_start(mismatch.text) + ", which the pattern " +
             quoted_start(field.pattern->text()) + " does not find anything in";
    case Mismatch::Kind::kType:
      return name +
             rules::why_not(mismatch.text, field.type, field.format ? &*field.format : nullptr);
    case Mismatch::Kind::kBounds:
      return name + quoted_start(mismatch.text) + " is not within " + field.bounds->text;
    case Mismatch::Kind::kGlob:
      break;
  }
  return {};
}

}  // namespace

bool Matcher::match(std::string_view path, Match& to) const {
  to.path.split(path);
  to.rule = nullptr;
  to.mismatch = {};
  for (const PathRule& rule : file_.rules) {
    if (fit_rule(rule, to) == Fit::kYes) return true;
  }
  return false;
}

Origin Matcher::origin(const RuleField& field, const Match& match) {
  auto found = source_text(field.from, match.path);
  if (found && field.pattern) found = field.pattern->find(*found);
  return {found.value_or(""), !found.has_value()};
}

std::string Matcher::describe_mismatch(const Match& match) const {
  if (match.mismatch.rule != nullptr) {
    const std::string rule = file_.rules.size() == 1
                                 ? std::string()
                                 : "rule '" + printable(match.mismatch.rule->name) + "', ";
    return rule + describe(match.mismatch);
  }
  // No field misfitted, so it was the glob; a rule without a glob cannot get here.
  if (file_.rules.size() == 1) {
    const GlobMismatch mismatch = file_.rules[0].glob->mismatch(match.path);
    return "the path does not fit the glob " + quoted_start(file_.rules[0].glob->text()) + ": " +
           mismatch.message;
  }
  return "the path fits the glob of none of the " + std::to_string(file_.rules.size()) + " rules";
}

std::string Matcher::why_not(const PathRule& rule, std::string_view path) {
  Match match;
  match.path.split(path);
  if (rule.glob && !rule.glob->matches(match.path)) {
    return "it does not fit the glob " + quoted_start(rule.glob->text()) + ": " +
           rule.glob->mismatch(match.path).message;
  }
  if (fit_rule(rule, match) == Fit::kYes) return {};
  return describe(match.mismatch);
}

}  // namespace airlock::rules
