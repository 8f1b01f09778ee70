// A rule and a Python extractor on the same paths, field by field:
//
//     client  100.00 %
//     year     97.50 %  2 differ
//   /data/CLIENT-ABC/2024/report.csv
//       year: rule 2024, Python 2023
//   78 of 80 paths agree (97.50 %)
//
// The JSON of a distillation holds the same comparison, made on the paths that were held out.
//
// What changed between two extractors:
//
//   sales@1 → sales@2
//     client  same
//     year    3 changed  97 same
//     region  added
//   /data/CLIENT-ABC/2024/report.csv
//       year: 2023 → 2024
//   3 of 100 answers changed
#include "present/report/compare_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_reader.h"
#include "base/printable.h"
#include "present/report/json_text.h"
#include "present/report/style.h"

namespace airlock::cli {

namespace {

using Json = nlohmann::ordered_json;

// Nothing compared is nothing different: 100.
double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 100 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

// `width`: of the widest name, so that the shares stand below each other.
std::string field_line(const std::string& name, const FieldAgreement& field, std::size_t width,
                       Colour colour) {
  const bool is_same = field.equal == field.rows();
  std::string text = "  " + printable(name) +
                     std::string(width - std::min(width, columns_of(name)), ' ') +
                     paint(fmt::format("  {:6.2f} %", percent(field.equal, field.rows())),
                           is_same ? Style::kGood : Style::kWarning, colour);
  if (field.different > 0) text += fmt::format("  {} differ", field.different);
  if (field.only_left > 0) text += fmt::format("  {} only from the rule", field.only_left);
  if (field.only_right > 0) text += fmt::format("  {} only from Python", field.only_right);
  return text + "\n";
}

Json as_json(const Comparison& comparison) {
  Json fields = Json::object();
  for (const auto& [name, field] : comparison.fields) {
    fields[printable(name)] = {{"equal", field.equal},
                               {"different", field.different},
                               {"only_rule", field.only_left},
                               {"only_python", field.only_right},
                               {"agreement", percent(field.equal, field.rows()) / 100}};
  }
  Json differences = Json::array();
  for (const Difference& one : comparison.differences)
    differences.push_back({{"path", printable(one.path)},
                           {"field", one.field.empty() ? Json() : Json(printable(one.field))},
                           {"rule", printable(one.left)},
                           {"python", printable(one.right)}});
  return {{"paths", comparison.paths},
          {"equal", comparison.equal_rows},
          {"agreement", percent(comparison.equal_rows, comparison.paths) / 100},
          {"both_ok", comparison.both_ok},
          {"only_rule_ok", comparison.only_left_ok},
          {"only_python_ok", comparison.only_right_ok},
          {"fields", fields},
          {"differences", differences}};
}

}  // namespace

std::string comparison_as_text(const Comparison& comparison, Colour colour) {
  std::string text;
  std::size_t width = 0;
  for (const auto& [name, field] : comparison.fields) width = std::max(width, columns_of(name));
  for (const auto& [name, field] : comparison.fields)
    text += field_line(name, field, width, colour);
  if (comparison.only_left_ok > 0)
    text +=
        fmt::format("  {} only the rule has a row for\n", counted(comparison.only_left_ok, "path"));
  if (comparison.only_right_ok > 0)
    text +=
        fmt::format("  {} only Python has a row for\n", counted(comparison.only_right_ok, "path"));
  for (const Difference& one : comparison.differences) {
    text += printable(one.path) + "\n";
    text += "    " + (one.field.empty() ? std::string() : printable(one.field) + ": ") + "rule " +
            printable(one.left) + ", Python " + printable(one.right) + "\n";
  }
  return text + fmt::format("{} of {} agree ({:.2f} %)\n", comparison.equal_rows,
                            counted(comparison.paths, "path"),
                            percent(comparison.equal_rows, comparison.paths));
}

std::string comparison_as_json(const Comparison& comparison) {
  return json_page(as_json(comparison));
}

std::string distillation_as_json(const Distillation& distillation) {
  Json fields = Json::array();
  for (const DistilledField& field : distillation.fields) {
    Json one = {{"name", field.name}, {"found", field.is_found}};
    if (field.is_found) {
      one["from"] = field.from;
      if (!field.pattern.empty()) one["pattern"] = field.pattern;
      one["type"] = field.type;
    } else {
      one["why_not"] = field.why_not;
    }
    fields.push_back(std::move(one));
  }
  return json_page({{"complete", distillation.is_complete},
                    {"learnt_from", distillation.learnt_from},
                    {"held_out", as_json(distillation.held_out)},
                    {"fields", fields},
                    {"yaml", distillation.yaml}});
}

namespace {

using Json = nlohmann::ordered_json;

// A field that no row had before; one that some rows had is "only after" in those.
bool is_added(const FieldAgreement& field) {
  return field.only_right == field.rows();
}

bool is_removed(const FieldAgreement& field) {
  return field.only_left == field.rows();
}

std::string changed_field_line(const std::string& name, const FieldAgreement& field,
                               std::size_t width, Colour colour) {
  std::string text =
      "  " + printable(name) + std::string(width - std::min(width, columns_of(name)), ' ');
  if (field.equal == field.rows()) return text + paint("  same", Style::kGood, colour) + "\n";
  if (is_added(field)) return text + paint("  added", Style::kWarning, colour) + "\n";
  if (is_removed(field)) return text + paint("  removed", Style::kWarning, colour) + "\n";
  if (field.different > 0)
    text += paint(fmt::format("  {} changed", field.different), Style::kWarning, colour);
  if (field.only_right > 0) text += fmt::format("  {} only after", field.only_right);
  if (field.only_left > 0) text += fmt::format("  {} only before", field.only_left);
  return text + fmt::format("  {} same\n", field.equal);
}

// A value as it was: `kNothing` marks a field that was absent, text that is no JSON is shown as
// text.
Json value_of(const std::string& text) {
  if (text == kNothing) return nullptr;
  Json value = read_ordered_json<Json>(text);
  return value.is_discarded() ? Json(printable(text)) : value;
}

}  // namespace

std::string diff_as_text(const Comparison& comparison, const std::string& before,
                         const std::string& after, Colour colour) {
  std::string text =
      paint(printable(before) + " → " + printable(after), Style::kHeading, colour) + "\n";
  std::size_t width = 0;
  for (const auto& [name, field] : comparison.fields) width = std::max(width, columns_of(name));
  for (const auto& [name, field] : comparison.fields)
    text += changed_field_line(name, field, width, colour);
  if (comparison.only_left_ok > 0)
    text += fmt::format("  {} had an answer before and none after\n",
                        counted(comparison.only_left_ok, "path"));
  if (comparison.only_right_ok > 0)
    text += fmt::format("  {} had no answer before and one after\n",
                        counted(comparison.only_right_ok, "path"));
  // Differences of one path follow each other; its name is printed once above them.
  const std::string* path = nullptr;  // that was shown last
  for (const Difference& one : comparison.differences) {
    if (path == nullptr || *path != one.path) text += printable(one.path) + "\n";
    path = &one.path;
    text += "    ";
    if (!one.field.empty()) text += printable(one.field) + ": ";
    text += printable(one.left) + " → " + printable(one.right) + "\n";
  }
  const std::uint64_t changed = comparison.paths - comparison.equal_rows;
  return text + fmt::format("{} of {} changed\n", changed, counted(comparison.paths, "answer"));
}

std::string diff_as_json(const Comparison& comparison, const std::string& before,
                         const std::string& after) {
  Json fields = Json::object();
  Json added = Json::array();
  Json removed = Json::array();
  for (const auto& [name, field] : comparison.fields) {
    fields[printable(name)] = {{"same", field.equal},
                               {"changed", field.different},
                               {"only_before", field.only_left},
                               {"only_after", field.only_right}};
    if (is_added(field)) added.push_back(printable(name));
    if (is_removed(field)) removed.push_back(printable(name));
  }
  Json examples = Json::array();
  for (const Difference& one : comparison.differences)
    examples.push_back({{"path", printable(one.path)},
                        {"field", one.field.empty() ? Json() : Json(printable(one.field))},
                        {"before", value_of(one.left)},
                        {"after", value_of(one.right)}});
  return json_text({{"before", before},
                    {"after", after},
                    {"paths", comparison.paths},
                    {"changed", comparison.paths - comparison.equal_rows},
                    {"only_before_ok", comparison.only_left_ok},
                    {"only_after_ok", comparison.only_right_ok},
                    {"fields", fields},
                    {"added_fields", added},
                    {"removed_fields", removed},
                    {"examples", examples}},
                   2) +
         "\n";
}

}  // namespace airlock::cli
