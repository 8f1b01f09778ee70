// Days, times and the forms they are written in. "Civil" is the calendar and clock on the wall
// (proleptic Gregorian, years 1 to 9999), without time zones: an offset is kept as it was written.
//
// Exact: 30 February is no date, week 53 is one only in years that have it. Nothing here allocates
// once a form is compiled, because it runs for every path of a bulk run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace airlock::rules {

struct CivilTime {
  int year = 1;
  int month = 1;
  int day = 1;
  int hour = 0;
  int minute = 0;
  int second = 0;
  int microsecond = 0;
  int offset_minutes = 0;  // east of UTC
  // False: the text did not say; offset_minutes is then 0.
  bool has_offset = false;
};

bool is_real_date(int year, int month, int day);
// Days since 1970-01-01.
std::int64_t days_from_civil(int year, int month, int day);
CivilTime civil_from_days(std::int64_t days);

// 2024-01-15, 20240115, with _ . / too: what type date takes when no format is named.
std::optional<CivilTime> read_date(std::string_view text);
// A date, a separator, 10:30[:00[.5]] or 103000, and perhaps Z or +02:00.
std::optional<CivilTime> read_datetime(std::string_view text);

// "2024-01-15"
void append_date(std::string& out, const CivilTime& time);
// "2024-01-15T10:30:00", with what is known of fractions and offset.
void append_datetime(std::string& out, const CivilTime& time);

// A form by name (iso_week, quarter, …) or in the letters of strptime.
// Immutable after parse(), shared by threads.
class TimeFormat {
 public:
  static Result<TimeFormat> parse(std::string_view format);
  // The whole text.
  std::optional<CivilTime> read(std::string_view text) const;

  // Of the named forms, for messages.
  static std::vector<std::string_view> names();

 private:
  struct Step {
    char code = 0;  // 0: `literal`
    char literal = 0;
  };
  using Form = std::vector<Step>;

  static Result<Form> compile(std::string_view format);
  static std::optional<CivilTime> read(const Form& form, std::string_view text);

  // Tried in order; the first that reads the whole text wins.
  std::vector<Form> forms_;
};

}  // namespace airlock::rules
