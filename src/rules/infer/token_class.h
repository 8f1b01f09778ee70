// What kind of thing a piece of a path is: a date, a number, a UUID, a word. Decided by looking at
// all pieces that stand in one position, because one alone says little: 2024 is a year when all its
// neighbours are. Everything else in inference rests on this (infer.h); pure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "rules/match/field_value.h"

namespace airlock::rules {

enum class TokenClass : std::uint8_t {
  kDate,         // 2024-01-15, 20240115
  kDatetime,     // 20240115T103000, 2024-01-15T10-30-00
  kYearMonth,    // 2024-01, 202401
  kIsoWeek,      // 2024-W03
  kYearQuarter,  // 2024-Q1, 2024Q1
  kOrdinalDate,  // 2024015, 2024-015
  kWrittenDate,  // 15.01.2024, 15-Jan-2024, 240115: as one form reads all of them
  kTimeOfDay,    // 103000, 10-30-00
  kEpoch,        // 1705314600, 1705314600123
  kQuarter,      // Q1
  kWeek,         // W03
  kMonthName,    // Jan, january
  kYear,         // 1900 … 2099
  kNumber,       // digits
  kDecimal,      // 0.25
  kUuid,
  kHash,       // 16 hex digits and more
  kShortHash,  // 9f111135: hexadecimal digits of one length
  kVersion,    // 3.12.0, v2.1, 1.0-SNAPSHOT
  kAddress,    // 10.0.0.1
  kUid,        // 1.2.840.113619.2.55.3: numbers of a registry
  kRegion,     // us-east-1
  kBoolean,    // true, false
  kCode,       // capitals and digits: ADT, A01, T32TQM
  kWord,       // letters
  kText,       // anything else
};

// "date", "prefix and number" and so on, for reports.
std::string_view name_of(TokenClass what);

// One text by itself; several classes may hold at once (20240115 is a date and a number).
bool is_of_class(std::string_view text, TokenClass what);

// The most telling class that all of them are of. `values` is not empty.
TokenClass common_class(std::span<const std::string_view> values);

// What a field of this class is: its type, and for dates the form. "" when type date reads it as it
// is.
struct FieldForm {
  ValueType type = ValueType::kString;
  std::string format;
};
FieldForm form_of(TokenClass what, std::span<const std::string_view> values);

// A pattern that all of the class fit; without anchors or group.
std::string pattern_of(TokenClass what, std::span<const std::string_view> values);

bool is_all_digits(std::string_view text);

// The classes that say little: letters, capitals, anything.
constexpr bool is_plain(TokenClass what) {
  return what == TokenClass::kCode || what == TokenClass::kWord || what == TokenClass::kText;
}

// One value, again and again. `values` is not empty.
inline bool is_constant(std::span<const std::string_view> values) {
  return std::ranges::all_of(values,
                             [&](std::string_view value) { return value == values.front(); });
}

}  // namespace airlock::rules
