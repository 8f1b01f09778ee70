#include "rules/infer/rule_text.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/printable.h"

namespace airlock::rules {

namespace {

// Fit to stand without quotes; the words that YAML 1.1 reads as truth values or null are not.
bool is_plain_word(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return is_lower(c) || is_digit(c) || c == '_'; }) &&
         is_lower(text[0]) && text != "null" && text != "true" && text != "false" &&
         text != "yes" && text != "no" && text != "on" && text != "off" && text != "y" &&
         text != "n";
}

// `width` aligns the braces of all fields in one column.
std::string field_text(const InferredField& field, std::size_t width) {
  const std::string name = yaml_key(field.name);
  std::string text =
      "      " + name + ":" + std::string(width - std::min(width, name.size()) + 1, ' ');
  text += "{ from: " + field.from;
  if (!field.pattern.empty()) text += ", pattern: " + yaml_quoted(field.pattern);
  if (field.type != ValueType::kString) text += ", type: " + std::string(name_of(field.type));
  if (!field.format.empty()) text += ", format: " + yaml_quoted(field.format);
  if (field.is_optional) text += ", optional: true";
  return text + " }\n";
}

std::string rule_text(const InferredRule& rule, const std::string& name) {
  std::string text =
      "  - name: " + yaml_quoted(name) + "\n    glob: " + yaml_quoted(rule.glob) + "\n";
  // A rule must do something: without fields it tags.
  if (rule.fields.empty()) return text + "    extract: null\n    tag: " + yaml_quoted(name) + "\n";
  text += "    extract:\n";
  std::size_t width = 0;
  for (const InferredField& field : rule.fields) width = std::max(width, field.name.size());
  for (const InferredField& field : rule.fields) text += field_text(field, width);
  return text;
}

}  // namespace

std::string yaml_key(std::string_view text) {
  return is_plain_word(text) ? std::string(text) : yaml_quoted(text);
}

std::string yaml_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      constexpr std::string_view kHex = "0123456789abcdef";
      quoted += "\\x";
      quoted += kHex[static_cast<unsigned char>(c) >> 4];
      quoted += kHex[static_cast<unsigned char>(c) & 15];
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string rule_file_text(std::span<const InferredRule> rules,
                           std::span<const std::string> comments) {
  std::string text;
  for (const std::string& comment : comments) text += "# " + printable(comment) + "\n";
  text += "version: 1\nrules:\n";
  for (const InferredRule& rule : rules) text += rule_text(rule, rule.name);
  return text;
}

}  // namespace airlock::rules
