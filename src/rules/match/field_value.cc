#include "rules/match/field_value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/ascii.h"
#include "base/printable.h"
#include "base/utf8.h"

namespace airlock::rules {

namespace {

struct NamedType {
  std::string_view name;
  ValueType type;
};
constexpr std::array kTypes = {
    NamedType{"string", ValueType::kString},     NamedType{"integer", ValueType::kInteger},
    NamedType{"float", ValueType::kFloat},       NamedType{"date", ValueType::kDate},
    NamedType{"datetime", ValueType::kDatetime}, NamedType{"uuid", ValueType::kUuid},
    NamedType{"boolean", ValueType::kBoolean}};

// std::from_chars takes a minus and no plus.
std::string_view without_plus(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && is_digit(text[1])) text.remove_prefix(1);
  return text;
}

std::optional<std::int64_t> read_integer(std::string_view text) {
  text = without_plus(text);
  std::int64_t value = 0;
  const auto done = std::from_chars(text.data(), text.data() + text.size(), value);
  if (done.ec != std::errc() || done.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

// 1.5, -2, 1e3; no nan, no infinity, no hexadecimal.
std::optional<double> read_float(std::string_view text) {
  text = without_plus(text);
  double value = 0;
  const auto done = std::from_chars(text.data(), text.data() + text.size(), value);
  if (done.ec != std::errc() || done.ptr != text.data() + text.size()) return std::nullopt;
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

// With its dashes, or 32 hexadecimal digits without.
bool is_uuid(std::string_view text) {
  if (text.size() == 32) return std::ranges::all_of(text, is_hex_digit);
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool wants_dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (wants_dash ? text[i] != '-' : !is_hex_digit(text[i])) return false;
  }
  return true;
}

std::optional<bool> read_boolean(std::string_view text) {
  for (const std::string_view word : {"true", "yes", "on", "1", "y", "t"}) {
    if (equal_ignoring_case(text, word)) return true;
  }
  for (const std::string_view word : {"false", "no", "off", "0", "n", "f"}) {
    if (equal_ignoring_case(text, word)) return false;
  }
  return std::nullopt;
}

// Stores a value that was read; false when there was none.
template <typename T>
bool put(FieldValue& to, FieldValue::Kind kind, const std::optional<T>& value,
         T FieldValue::* member) {
  if (!value) return false;
  to.kind = kind;
  to.*member = *value;
  return true;
}

}  // namespace

std::string_view name_of(ValueType type) {
  return std::ranges::find(kTypes, type, &NamedType::type)->name;
}

std::optional<ValueType> type_named(std::string_view name) {
  const auto found = std::ranges::find(kTypes, name, &NamedType::name);
  if (found == kTypes.end()) return std::nullopt;
  return found->type;
}

bool convert_to(FieldValue& to, std::string_view text, ValueType type, const TimeFormat* format) {
  using Kind = FieldValue::Kind;
  switch (type) {
    case ValueType::kUuid:
      if (!is_uuid(text)) return false;
      [[fallthrough]];
    case ValueType::kString:
      to.kind = Kind::kText;
      to.text = text;
      return true;
    case ValueType::kInteger:
      return put(to, Kind::kInteger, read_integer(text), &FieldValue::integer);
    case ValueType::kFloat:
      return put(to, Kind::kFloat, read_float(text), &FieldValue::real);
    case ValueType::kBoolean:
      return put(to, Kind::kBoolean, read_boolean(text), &FieldValue::boolean);
    case ValueType::kDate:
      return put(to, Kind::kDate, format != nullptr ? format->read(text) : read_date(text),
                 &FieldValue::time);
    case ValueType::kDatetime:
      return put(to, Kind::kDatetime, format != nullptr ? format->read(text) : read_datetime(text),
                 &FieldValue::time);
  }
  return false;
}

std::optional<FieldValue> convert(std::string_view text, ValueType type, const TimeFormat* format) {
  FieldValue value;
  if (!convert_to(value, text, type, format)) return std::nullopt;
  return value;
}

std::string why_not(std::string_view text, ValueType type, const TimeFormat* format) {
  const std::string shown = "'" + printable(cut_utf8(text, 80)) + "'";
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : without_plus(text);
  // The likeliest reason wins: all digits and yet no integer means too large, eight digits and yet
  // no date means that there is no such day.
  const bool is_number = !digits.empty() && std::ranges::all_of(digits, is_digit);
  if (type == ValueType::kInteger && is_number) return shown + " does not fit in 64 bits";
  const bool is_time = type == ValueType::kDate || type == ValueType::kDatetime;
  if (is_time && format == nullptr && (text.size() == 8 || text.size() == 10) &&
      std::ranges::count_if(text, is_digit) == 8)
    return shown + " is no day of the calendar";
  if (is_time && format != nullptr)
    return shown + " is no " + std::string(name_of(type)) + " in the field's format";
  return shown + " is no " + std::string(name_of(type));
}

namespace {

// Since 1970-01-01 UTC. A time without an offset counts as UTC, so that bounds can be compared at
// all.
std::int64_t microseconds(const CivilTime& time) {
  const std::int64_t seconds = days_from_civil(time.year, time.month, time.day) * 86400 +
                               time.hour * 3600 + time.minute * 60 + time.second -
                               time.offset_minutes * 60;
  return seconds * 1000000 + time.microsecond;
}

}  // namespace

bool is_at_most(const FieldValue& a, const FieldValue& b) {
  switch (a.kind) {
    case FieldValue::Kind::kInteger:
      return a.integer <= b.integer;
    case FieldValue::Kind::kFloat:
      return a.real <= b.real;
    default:
      return microseconds(a.time) <= microseconds(b.time);
  }
}

}  // namespace airlock::rules
