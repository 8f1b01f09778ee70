// What changed between two extractors:
//
//   sales@1 → sales@2
//     client  same
//     year    3 changed  97 same
//     region  added
//   /data/CLIENT-ABC/2024/report.csv
//       year: 2023 → 2024
//   3 of 100 answers changed
#include "present/report/diff_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "present/report/json_text.h"
#include "present/report/style.h"

namespace airlock::cli {

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
  Json value = Json::parse(text, nullptr, false);
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
