#include "rules/infer/slot_pattern.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/printable.h"
#include "base/utf8.h"

namespace airlock::rules {

namespace {

constexpr std::size_t kEnoughForWidth = 8;  // values, from which a width is concluded

using Values = std::vector<std::string_view>;

// Classes whose values have one shape; versions and addresses have many.
bool has_one_shape(TokenClass what) {
  constexpr std::array kShaped = {TokenClass::kDate,        TokenClass::kDatetime,
                                  TokenClass::kYearMonth,   TokenClass::kIsoWeek,
                                  TokenClass::kYearQuarter, TokenClass::kOrdinalDate,
                                  TokenClass::kWrittenDate, TokenClass::kTimeOfDay};
  return std::ranges::find(kShaped, what) != kShaped.end();
}

bool are_of_one_width(const Values& values) {
  return std::ranges::all_of(
      values, [&](std::string_view value) { return value.size() == values.front().size(); });
}

// 2024-01-15-10-30 → \d{4}-\d{2}-…: digits where all have digits, else what all have there.
// Empty when they differ in more than digits.
std::string shape_pattern(const Values& values) {
  const std::string_view first = values.front();
  if (!are_of_one_width(values)) return {};
  for (const std::string_view value : values)
    for (std::size_t i = 0; i < first.size(); ++i)
      if (value[i] != first[i] && !(is_digit(value[i]) && is_digit(first[i]))) return {};
  std::string pattern;
  for (std::size_t i = 0; i < first.size();) {
    std::size_t end = i;
    while (end < first.size() && is_digit(first[end])) ++end;
    if (end > i) {
      pattern += "\\d{" + std::to_string(end - i) + "}";
      i = end;
    } else {
      pattern += quote_pattern(first.substr(i++, 1));
    }
  }
  return pattern;
}

// For a slot whose values contain the next literal's first character, so that it cannot mark the
// end: by shape or width where the values have one.
std::string unclear_pattern(const LayoutPiece& slot) {
  std::string shape = has_one_shape(slot.what) ? shape_pattern(slot.values) : std::string();
  if (!shape.empty()) return shape;
  const bool is_fixed = !slot.is_free && is_plain(slot.what) && are_of_one_width(slot.values) &&
                        slot.values.size() >= kEnoughForWidth;
  return is_fixed ? ".{" + std::to_string(slot.values.front().size()) + "}" : ".+";
}

// Escapes `special` characters. A rule file is text: bytes that are no UTF-8, and characters that
// no eye could read there, are written as `any`, the sign for any one character.
std::string quote(std::string_view literal, std::string_view special, char any) {
  std::string text;
  for (std::size_t at = 0; at < literal.size();) {
    const CodePoint point = decode_utf8(literal, at);
    if (point.bytes == 0 || !shows_itself(point.value)) {
      text += any;
      at += std::max<std::size_t>(1, point.bytes);
      continue;
    }
    if (special.contains(literal[at])) text += '\\';
    text += literal.substr(at, point.bytes);
    at += point.bytes;
  }
  return text;
}

}  // namespace

std::string slot_pattern(const LayoutPiece& slot, std::string_view next_literal) {
  if (!slot.pattern.empty()) return slot.pattern;
  std::string known = is_plain(slot.what) ? "" : pattern_of(slot.what, slot.values);
  if (!known.empty()) return known;
  // From the surest to the loosest: the pattern of the class, everything up to the next literal,
  // and when the slot itself contains that literal's first byte, its shape or anything.
  if (next_literal.empty()) return ".+";
  const char stop = next_literal.front();
  const bool is_clear = std::ranges::none_of(
      slot.values, [&](std::string_view value) { return value.contains(stop); });
  if (!is_clear) return unclear_pattern(slot);
  const bool is_special = stop == '-' || stop == ']' || stop == '^' || stop == '[';
  return std::string("[^") + (is_special ? "\\" : "") + stop + "]+";
}

std::string quote_pattern(std::string_view literal) {
  return quote(literal, "\\.+*?()[]{}|^$", '.');
}

std::string quote_glob(std::string_view literal) {
  return quote(literal, "*?[]{}\\", '*');
}

}  // namespace airlock::rules
