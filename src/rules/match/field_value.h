// One scalar of a row: what a path's text is once it has a type. Made by the matcher for every
// field of every path, so it is plain and costs no allocation.
//
// Text is borrowed from the path (or from the match's scratch space) and lives no longer than that.
// Numbers, times and truth values are copies.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rules/match/civil_time.h"

namespace airlock::rules {

// The types that a rule file can name.
enum class ValueType : std::uint8_t {
  kString,
  kInteger,
  kFloat,
  kDate,
  kDatetime,
  kUuid,
  kBoolean
};

// As rule files write it.
std::string_view name_of(ValueType type);
std::optional<ValueType> type_named(std::string_view name);

// `kind` says which of the members is meant; the others are not to be read. A UUID is kText.
struct FieldValue {
  enum class Kind : std::uint8_t { kNull, kText, kInteger, kFloat, kBoolean, kDate, kDatetime };

  Kind kind = Kind::kNull;
  bool boolean = false;
  std::int64_t integer = 0;
  double real = 0;
  std::string_view text;
  CivilTime time;
};

// Reads `text` as a value of `type`; nothing when it is not one. Integers that 64 bits cannot hold
// are refused, dates must be days of the calendar, a UUID is given as it stands. `format` is for
// dates and times alone.
std::optional<FieldValue> convert(std::string_view text, ValueType type, const TimeFormat* format);

// The same without a copy; false when it is not one, and `to` then holds anything.
bool convert_to(FieldValue& to, std::string_view text, ValueType type, const TimeFormat* format);

// Of two numbers or two times.
bool is_at_most(const FieldValue& a, const FieldValue& b);

// "2023-02-30 is no day of the calendar", "it does not fit in 64 bits": why convert() gave nothing.
std::string why_not(std::string_view text, ValueType type, const TimeFormat* format);

}  // namespace airlock::rules
