// Rule files as airlock understands them, and what they make of paths. `explain` shows for one path
// which rules did not match, each with the first thing that did not fit, and where each value came
// from:
//
//   /data/mission_042/2024-01-15/readings.csv
//     not reports: …
//     matched by missions (glob **/mission_*/*/*.csv)
//       mission_id = 42  from segment(-3), '042' as integer
#include "present/report/rules_output.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "engine/bulk/rule_rows.h"
#include "present/report/json_text.h"
#include "present/report/style.h"

namespace airlock::cli {

namespace {

using Json = nlohmann::ordered_json;

Json problem_as_json(const rules::RuleFileProblem& problem) {
  return {{"line", problem.line}, {"column", problem.column}, {"message", problem.message}};
}

std::string value_text(const rules::FieldValue& value) {
  std::string text;
  append_json_value(text, value);
  return text;
}

// Through its text: JSON of a value is written in one place (append_json_value).
Json value_json(const rules::FieldValue& value) {
  return Json::parse(value_text(value), nullptr, false);
}

std::string normalize_text(const rules::Normalize& normalize) {
  std::string text;
  if (normalize.lowercase) text += ", lowercase";
  if (normalize.uppercase) text += ", uppercase";
  if (normalize.strip_leading_zeros) text += ", strip_leading_zeros";
  return text;
}

// A text value borrows its bytes; the field owns them.
rules::FieldValue fallback_of(const rules::RuleField& field) {
  rules::FieldValue value = *field.fallback;
  if (value.kind == rules::FieldValue::Kind::kText) value.text = field.fallback_text;
  return value;
}

// "(one pass)" or "(RE2)" tells which engine a pattern got: the first is the faster one.
std::string field_as_text(const rules::RuleField& field) {
  std::string text = text_of(field.from);
  if (field.pattern)
    text += ", pattern " + printable(field.pattern->text()) +
            (field.pattern->is_one_pass() ? " (one pass)" : " (RE2)");
  text += ", " + std::string(name_of(field.type));
  if (field.format) text += " as " + field.format_text;
  text += normalize_text(field.normalize);
  if (field.bounds) text += ", within " + field.bounds->text;
  if (field.fallback) text += ", else " + value_text(fallback_of(field));
  return text;
}

Json field_as_json(const rules::RuleField& field) {
  Json json = {{"name", field.name},
               {"from", text_of(field.from)},
               {"type", std::string(name_of(field.type))}};
  if (field.pattern) {
    json["pattern"] = field.pattern->text();
    json["engine"] = field.pattern->is_one_pass() ? "one-pass" : "re2";
  }
  if (field.capture) json["capture"] = *field.capture;
  if (field.format) json["format"] = field.format_text;
  if (field.bounds) json["validate"] = field.bounds->text;
  if (field.fallback) json["default"] = value_json(fallback_of(field));
  return json;
}

std::size_t longest_name(const rules::PathRule& rule) {
  std::size_t longest = 0;
  for (const rules::RuleField& field : rule.fields)
    longest = std::max(longest, columns_of(field.name));
  return longest;
}

}  // namespace

std::string problems_as_text(std::string_view file,
                             std::span<const rules::RuleFileProblem> problems) {
  std::string text;
  for (const rules::RuleFileProblem& problem : problems)
    text += fmt::format("{}:{}:{}: {}\n", printable(file), problem.line, problem.column,
                        printable(problem.message));
  return text;
}

std::string rules_check_as_text(std::span<const CheckedRuleFile> files, Colour colour) {
  std::string text;
  for (const CheckedRuleFile& one : files) {
    if (one.loaded.rules) {
      std::size_t fields = 0;
      for (const rules::PathRule& rule : one.loaded.rules->rules) fields += rule.fields.size();
      text += printable(one.file) + ": " + paint("accepted", Style::kGood, colour) + " (" +
              counted(one.loaded.rules->rules.size(), "rule") + ", " + counted(fields, "field") +
              ")\n";
    } else {
      text += problems_as_text(one.file, one.loaded.rules.error());
      text += printable(one.file) + ": " + paint("refused", Style::kError, colour) + " (" +
              counted(one.loaded.rules.error().size(), "error") + ")\n";
    }
  }
  return text;
}

std::string rules_check_as_json(std::span<const CheckedRuleFile> files) {
  Json list = Json::array();
  for (const CheckedRuleFile& one : files) {
    Json problems = Json::array();
    if (!one.loaded.rules) {
      for (const rules::RuleFileProblem& problem : one.loaded.rules.error())
        problems.push_back(problem_as_json(problem));
    }
    list.push_back({{"file", one.file},
                    {"sha256", one.loaded.sha256},
                    {"verdict", one.loaded.rules ? "accepted" : "refused"},
                    {"rules", one.loaded.rules ? one.loaded.rules->rules.size() : 0},
                    {"errors", problems}});
  }
  return json_page({{"version", AIRLOCK_VERSION}, {"files", list}});
}

std::string rules_as_text(const rules::RuleFile& file, Colour colour) {
  std::string text;
  for (const rules::PathRule& rule : file.rules) {
    text += paint(printable(rule.name), Style::kHeading, colour) + "\n";
    text += "  glob      " + (rule.glob ? printable(rule.glob->text()) : "every path") + "\n";
    text += "  priority  " + std::to_string(rule.priority) + "\n";
    for (const std::string& tag : rule.tags) text += "  tag       " + printable(tag) + "\n";
    for (const rules::TagCondition& one : rule.tag_conditions)
      text += "  tag       " + printable(one.tag) + " if " + printable(one.text) + "\n";
    const std::size_t width = longest_name(rule);
    for (const rules::RuleField& field : rule.fields)
      text += "  field     " + padded(field.name, width) + "  " + field_as_text(field) + "\n";
  }
  return text;
}

std::string rules_as_json(const rules::RuleFile& file) {
  Json list = Json::array();
  for (const rules::PathRule& rule : file.rules) {
    Json fields = Json::array();
    for (const rules::RuleField& field : rule.fields) fields.push_back(field_as_json(field));
    Json conditions = Json::array();
    for (const rules::TagCondition& one : rule.tag_conditions)
      conditions.push_back({{"if", one.text}, {"tag", one.tag}});
    list.push_back({{"name", rule.name},
                    {"glob", rule.glob ? Json(rule.glob->text()) : Json()},
                    {"priority", rule.priority},
                    {"fields", fields},
                    {"tags", rule.tags},
                    {"tag_conditions", conditions}});
  }
  return json_page({{"version", 1}, {"rules", list}});
}

std::string rules_test_as_text(const RuleTest& test, Colour colour) {
  std::string text;
  for (const RuleTest::OneRule& rule : test.rules)
    text += fmt::format("{:>10} {}\n", rule.matched, printable(rule.name));
  const std::uint64_t missed = test.paths - test.matched;
  for (const RuleTest::Unmatched& one : test.unmatched)
    text += printable(one.path) + "\n  " + paint(one.why, Style::kNote, colour) + "\n";
  if (missed > test.unmatched.size())
    text += fmt::format("and {} more that no rule matches\n", missed - test.unmatched.size());
  const double share =
      test.paths == 0 ? 0
                      : 100.0 * static_cast<double>(test.matched) / static_cast<double>(test.paths);
  return text + fmt::format("{} of {} matched ({:.1f} %)\n", test.matched,
                            counted(test.paths, "path"), share);
}

std::string rules_test_as_json(const RuleTest& test) {
  Json rules = Json::array();
  for (const RuleTest::OneRule& rule : test.rules)
    rules.push_back({{"name", rule.name}, {"matched", rule.matched}});
  Json unmatched = Json::array();
  for (const RuleTest::Unmatched& one : test.unmatched)
    unmatched.push_back({{"path", printable(one.path)}, {"why", one.why}});
  return json_page({{"paths", test.paths},
                    {"matched", test.matched},
                    {"rules", rules},
                    {"unmatched", unmatched}});
}

std::string explanation_as_text(std::string_view path, const rules::Matcher& matcher,
                                Colour colour) {
  std::string text = printable(path) + "\n";
  rules::Match match;
  const bool is_matched = matcher.match(path, match);
  for (const rules::PathRule& rule : matcher.rules()) {
    // Rules are tried in the order of matcher.rules(); those behind the one that matched were not
    // asked.
    if (&rule == match.rule) break;
    text += "  " + paint("not", Style::kWarning, colour) + " " + printable(rule.name) + ": " +
            rules::Matcher::why_not(rule, path) + "\n";
  }
  if (!is_matched) return text + "  " + paint("no rule matches", Style::kError, colour) + "\n";
  text += "  " + paint("matched by", Style::kGood, colour) + " " + printable(match.rule->name);
  if (match.rule->glob) text += " (glob " + printable(match.rule->glob->text()) + ")";
  text += "\n";
  const std::size_t width = longest_name(*match.rule);
  for (std::size_t i = 0; i < match.values.size(); ++i) {
    const rules::RuleField& field = match.rule->fields[i];
    const rules::Origin origin = rules::Matcher::origin(field, match);
    text +=
        "    " + padded(field.name, width) + " = " + value_text(match.values[i]) + "  " +
        paint(origin.is_default ? "its default: nothing was found in " + text_of(field.from)
                                : "from " + text_of(field.from) + ", '" + printable(origin.text) +
                                      "' as " + std::string(name_of(field.type)),
              Style::kFaint, colour) +
        "\n";
  }
  std::string tags;
  append_tags(tags, match);
  if (!tags.empty()) text += "    tags: " + tags.substr(tags.find('[')) + "\n";
  return text;
}

std::string explanation_as_json(std::string_view path, const rules::Matcher& matcher) {
  rules::Match match;
  const bool is_matched = matcher.match(path, match);
  Json others = Json::array();
  for (const rules::PathRule& rule : matcher.rules()) {
    if (&rule == match.rule) break;
    others.push_back({{"rule", rule.name}, {"why", rules::Matcher::why_not(rule, path)}});
  }
  Json fields = Json::array();
  for (std::size_t i = 0; is_matched && i < match.values.size(); ++i) {
    const rules::RuleField& field = match.rule->fields[i];
    const rules::Origin origin = rules::Matcher::origin(field, match);
    fields.push_back({{"name", field.name},
                      {"value", value_json(match.values[i])},
                      {"from", text_of(field.from)},
                      {"text", origin.is_default ? Json() : Json(std::string(origin.text))},
                      {"type", std::string(name_of(field.type))}});
  }
  return json_page({{"path", printable(path)},
                    {"rule", is_matched ? Json(match.rule->name) : Json()},
                    {"fields", fields},
                    {"not_matched", others}});
}

}  // namespace airlock::cli
