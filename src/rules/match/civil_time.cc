#include "rules/match/civil_time.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace airlock::rules {

namespace {

// Four digits, as all forms here write a year.
constexpr int kMaxYear = 9999;
constexpr std::int64_t kDaySeconds = 86400;
constexpr std::array<int, 12> kDaysOfMonth = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

bool is_leap(int year) {
  return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

// Exactly `count` digits at the front, taken off; -1 when they are not there.
int take_digits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return -1;
  int value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_digit(text[i])) return -1;
    value = value * 10 + (text[i] - '0');
  }
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, char wanted) {
  if (!text.starts_with(wanted)) return false;
  text.remove_prefix(1);
  return true;
}

bool is_date_separator(char c) {
  return c == '-' || c == '_' || c == '.' || c == '/';
}

// The date at the front, taken off. Both separators must be the same, or both missing.
// take_digits() gives -1 where there are none, and no date is real with that.
bool take_date(std::string_view& text, CivilTime& to) {
  to.year = take_digits(text, 4);
  char separator = 0;
  if (!text.empty() && is_date_separator(text.front())) separator = text.front();
  if (separator != 0) text.remove_prefix(1);
  to.month = take_digits(text, 2);
  if (separator != 0 && !take(text, separator)) return false;
  to.day = take_digits(text, 2);
  return is_real_date(to.year, to.month, to.day);
}

// .5 or ,5 behind the seconds. Digits past the microseconds are read and dropped.
void take_fraction(std::string_view& text, CivilTime& to) {
  if (text.size() < 2 || (text[0] != '.' && text[0] != ',') || !is_digit(text[1])) return;
  text.remove_prefix(1);
  int unit = 100000;
  while (!text.empty() && is_digit(text.front())) {
    to.microsecond += (text.front() - '0') * unit;
    unit /= 10;
    text.remove_prefix(1);
  }
}

bool is_real_time(const CivilTime& time) {
  return time.hour >= 0 && time.hour < 24 && time.minute >= 0 && time.minute < 60 &&
         time.second >= 0 && time.second < 60;
}

// 10:30, 10:30:00, 1030, 103000, each perhaps with a fraction; - _ and . as well, because file
// names cannot have colons everywhere.
bool take_time(std::string_view& text, CivilTime& to) {
  to.hour = take_digits(text, 2);
  const char separator = text.empty() ? '\0' : text.front();
  const bool is_parted =
      separator == ':' || separator == '-' || separator == '_' || separator == '.';
  if (is_parted) text.remove_prefix(1);
  to.minute = take_digits(text, 2);
  if (is_parted ? take(text, separator) : (!text.empty() && is_digit(text.front())))
    to.second = take_digits(text, 2);
  take_fraction(text, to);
  return is_real_time(to);
}

// Nothing, Z, +0200 or +02:00. Whatever stands here must be an offset.
bool take_offset(std::string_view& text, CivilTime& to) {
  if (text.empty()) return true;
  to.has_offset = true;
  if (take(text, 'Z') || take(text, 'z')) return true;
  const int sign = text.front() == '-' ? -1 : 1;
  if (text.front() != '-' && text.front() != '+') return false;
  text.remove_prefix(1);
  const int hours = take_digits(text, 2);
  take(text, ':');
  const int minutes = take_digits(text, 2);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return false;
  to.offset_minutes = sign * (hours * 60 + minutes);
  return true;
}

// With leading zeros. `value` is not negative and `width` at most 8.
void append_number(std::string& out, int value, int width) {
  std::array<char, 8> digits{};
  for (int i = width - 1; i >= 0; --i) {
    digits[static_cast<std::size_t>(i)] = static_cast<char>('0' + value % 10);
    value /= 10;
  }
  out.append(digits.data(), static_cast<std::size_t>(width));
}

struct NamedFormat {
  std::string_view name;
  std::array<std::string_view, 4> forms;  // any of them
};
// The names that `format:` takes beside letters. Empty forms fill up the row.
constexpr std::array kNamedFormats = {
    NamedFormat{"iso", {"%Y-%m-%d", "", "", ""}},
    NamedFormat{"basic", {"%Y%m%d", "", "", ""}},
    NamedFormat{"iso_week", {"%G-W%V", "%GW%V", "%G-W%V-%u", "%GW%V%u"}},
    NamedFormat{"quarter", {"%Y-Q%q", "%YQ%q", "%Y_Q%q", "%Y/Q%q"}},
    NamedFormat{"year_month", {"%Y-%m", "%Y%m", "%Y_%m", "%Y/%m"}},
    NamedFormat{"ordinal", {"%Y-%j", "%Y%j", "%Y/%j", ""}},
    NamedFormat{"epoch", {"%s", "", "", ""}},
};

// The letters of strptime that are understood, and q for a quarter, which strptime has not.
constexpr std::string_view kCodes = "YymdeHIMSfjbBGVuqspz";

constexpr std::array<std::string_view, 12> kMonths = {
    "january", "february", "march",     "april",   "may",      "june",
    "july",    "august",   "september", "october", "november", "december"};

bool starts_with_word(std::string_view text, std::string_view word) {
  return equal_ignoring_case(text.substr(0, word.size()), word);
}

// 1 … 12, or 0; whole names before short ones.
int take_month_name(std::string_view& text) {
  for (const bool is_whole : {true, false}) {
    for (std::size_t i = 0; i < kMonths.size(); ++i) {
      const std::string_view name = is_whole ? kMonths[i] : kMonths[i].substr(0, 3);
      if (!starts_with_word(text, name)) continue;
      text.remove_prefix(name.size());
      return static_cast<int>(i) + 1;
    }
  }
  return 0;
}

// What the letters of a format have said so far. -1: nothing.
struct Parts {
  CivilTime time;
  int day_of_year = -1;
  int week = -1;
  int week_day = 1;
  int quarter = -1;
  int half = -1;  // 0 am, 1 pm
  std::int64_t epoch = -1;
  bool has_epoch = false;
};

// One or two digits and the like: as many as are there, at most `most`.
int take_some_digits(std::string_view& text, std::size_t most) {
  std::size_t count = 0;
  while (count < most && count < text.size() && is_digit(text[count])) ++count;
  return count == 0 ? -1 : take_digits(text, count);
}

// Seconds since 1970. Twelve digits at most, so that the value cannot overflow; they reach far past
// the year 9999, which apply_epoch() refuses.
bool take_epoch(std::string_view& text, Parts& parts) {
  std::int64_t value = 0;
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count]) && count < 12)
    value = value * 10 + (text[count++] - '0');
  text.remove_prefix(count);
  parts.epoch = value;
  parts.has_epoch = true;
  return count > 0;
}

// One to nine digits, as fractions of a second; the last three of nine are dropped.
bool take_microseconds(std::string_view& text, CivilTime& time) {
  int unit = 100000;
  std::size_t count = 0;
  for (; count < text.size() && count < 9 && is_digit(text[count]); ++count) {
    time.microsecond += (text[count] - '0') * unit;
    unit /= 10;
  }
  text.remove_prefix(count);
  return count > 0;
}

bool take_half(std::string_view& text, Parts& parts) {
  if (!starts_with_word(text, "am") && !starts_with_word(text, "pm")) return false;
  parts.half = text[0] == 'p' || text[0] == 'P' ? 1 : 0;
  text.remove_prefix(2);
  return true;
}

// As long as it must be: Z, +0200 or +02:00. More of the format may follow.
bool take_zone(std::string_view& text, CivilTime& time) {
  if (text.empty()) return false;
  const std::size_t length = text[0] == 'Z' ? 1 : text.size() > 3 && text[3] == ':' ? 6 : 5;
  std::string_view zone = text.substr(0, length);
  if (!take_offset(zone, time) || !zone.empty()) return false;
  text.remove_prefix(std::min(length, text.size()));
  return true;
}

// Takes what one letter stands for off the front. Whether the parts make a date together is decided
// by settle(), when all are known.
bool take_code(char code, std::string_view& text, Parts& parts) {
  CivilTime& time = parts.time;
  switch (code) {
    case 'Y':
    case 'G':
      return (time.year = take_digits(text, 4)) >= 1;
    case 'y':
      time.year = take_digits(text, 2);
      if (time.year < 0) return false;
      time.year += time.year < 69 ? 2000 : 1900;  // as POSIX has it
      return true;
    case 'm':
      return (time.month = take_some_digits(text, 2)) >= 1;
    case 'd':
    case 'e':
      return (time.day = take_some_digits(text, 2)) >= 1;
    case 'b':
    case 'B':
      return (time.month = take_month_name(text)) >= 1;
    case 'H':
    case 'I':
      return (time.hour = take_some_digits(text, 2)) >= 0;
    case 'M':
      return (time.minute = take_some_digits(text, 2)) >= 0;
    case 'S':
      return (time.second = take_some_digits(text, 2)) >= 0;
    case 'j':
      return (parts.day_of_year = take_some_digits(text, 3)) >= 1;
    case 'V':
      return (parts.week = take_digits(text, 2)) >= 1;
    case 'u':
      return (parts.week_day = take_digits(text, 1)) >= 1;
    case 'q':
      return (parts.quarter = take_digits(text, 1)) >= 1;
    case 'f':
      return take_microseconds(text, time);
    case 'p':
      return take_half(text, parts);
    case 's':
      return take_epoch(text, parts);
    case 'z':
      return take_zone(text, time);
    default:
      return false;
  }
}

void set_day(CivilTime& time, std::int64_t days) {
  const CivilTime date = civil_from_days(days);
  time.year = date.year;
  time.month = date.month;
  time.day = date.day;
}

// ISO 8601: weeks begin on Monday, and week 1 is the one with 4 January in it. Day 0 of our count,
// 1970-01-01, was a Thursday; hence the 3.
bool apply_week(Parts& parts) {
  const int year = parts.time.year;
  const auto monday_of_week_1 = [](int of) {
    const std::int64_t fourth = days_from_civil(of, 1, 4);
    return fourth - ((fourth + 3) % 7 + 7) % 7;
  };
  const std::int64_t first = monday_of_week_1(year);
  const std::int64_t monday = first + std::int64_t{7} * (parts.week - 1);
  if (parts.week_day > 7 || monday >= monday_of_week_1(year + 1)) return false;
  set_day(parts.time, monday + parts.week_day - 1);
  return parts.time.year <= kMaxYear;
}

// Unix time is UTC by definition, so the result has an offset of 0.
bool apply_epoch(Parts& parts) {
  const std::int64_t days = parts.epoch / kDaySeconds;
  if (days > days_from_civil(kMaxYear, 12, 31)) return false;
  set_day(parts.time, days);
  const auto rest = static_cast<int>(parts.epoch % kDaySeconds);
  parts.time.hour = rest / 3600;
  parts.time.minute = rest / 60 % 60;
  parts.time.second = rest % 60;
  parts.time.has_offset = true;
  return true;
}

// Makes one date of all parts, or nothing when there is no such day. Epoch and week say the year
// too and come first; quarter and day of the year only need one.
std::optional<CivilTime> settle(Parts parts) {
  if (parts.has_epoch && !apply_epoch(parts)) return std::nullopt;
  if (parts.week >= 0 && !apply_week(parts)) return std::nullopt;
  if (parts.quarter > 4) return std::nullopt;
  if (parts.quarter > 0) parts.time.month = parts.quarter * 3 - 2;
  if (parts.day_of_year >= 0) {
    if (parts.day_of_year > (is_leap(parts.time.year) ? 366 : 365)) return std::nullopt;
    set_day(parts.time, days_from_civil(parts.time.year, 1, 1) + parts.day_of_year - 1);
  }
  if (parts.half >= 0) {
    if (parts.time.hour < 1 || parts.time.hour > 12) return std::nullopt;
    parts.time.hour = parts.time.hour % 12 + 12 * parts.half;
  }
  if (!is_real_date(parts.time.year, parts.time.month, parts.time.day) || !is_real_time(parts.time))
    return std::nullopt;
  return parts.time;
}

}  // namespace

bool is_real_date(int year, int month, int day) {
  if (year < 1 || year > kMaxYear || month < 1 || month > 12 || day < 1) return false;
  const int days = kDaysOfMonth[static_cast<std::size_t>(month) - 1];
  return day <= days + (month == 2 && is_leap(year) ? 1 : 0);
}

// Counts years from March in eras of 400 years (146097 days): leap days then stand at the end of a
// year and every era is alike. 719468 is the number of days from 0000-03-01 to 1970-01-01.
std::int64_t days_from_civil(int year, int month, int day) {
  const std::int64_t y = month <= 2 ? year - 1 : year;
  const std::int64_t era = (y >= 0 ? y : y - 399) / 400;
  const std::int64_t of_era = y - era * 400;
  const std::int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

// The inverse of days_from_civil(), by the same eras.
CivilTime civil_from_days(std::int64_t days) {
  days += 719468;
  const std::int64_t era = (days >= 0 ? days : days - 146096) / 146097;
  const std::int64_t day = days - era * 146097;
  const std::int64_t of_era = (day - day / 1460 + day / 36524 - day / 146096) / 365;
  const std::int64_t of_year = day - (365 * of_era + of_era / 4 - of_era / 100);
  const std::int64_t month = (5 * of_year + 2) / 153;
  CivilTime time;
  time.day = static_cast<int>(of_year - (153 * month + 2) / 5 + 1);
  time.month = static_cast<int>(month < 10 ? month + 3 : month - 9);
  time.year = static_cast<int>(of_era + era * 400 + (time.month <= 2 ? 1 : 0));
  return time;
}

std::optional<CivilTime> read_date(std::string_view text) {
  CivilTime time;
  if (!take_date(text, time) || !text.empty()) return std::nullopt;
  return time;
}

std::optional<CivilTime> read_datetime(std::string_view text) {
  CivilTime time;
  if (!take_date(text, time)) return std::nullopt;
  constexpr std::string_view kBetween = "Tt _-/.";
  if (!text.empty() && kBetween.contains(text.front())) text.remove_prefix(1);
  if (!take_time(text, time) || !take_offset(text, time) || !text.empty()) return std::nullopt;
  return time;
}

void append_date(std::string& out, const CivilTime& time) {
  append_number(out, time.year, 4);
  out += '-';
  append_number(out, time.month, 2);
  out += '-';
  append_number(out, time.day, 2);
}

void append_datetime(std::string& out, const CivilTime& time) {
  append_date(out, time);
  out += 'T';
  append_number(out, time.hour, 2);
  out += ':';
  append_number(out, time.minute, 2);
  out += ':';
  append_number(out, time.second, 2);
  if (time.microsecond != 0) {
    out += '.';
    append_number(out, time.microsecond, 6);
  }
  if (!time.has_offset) return;
  if (time.offset_minutes == 0) {
    out += 'Z';
    return;
  }
  const int offset = time.offset_minutes < 0 ? -time.offset_minutes : time.offset_minutes;
  out += time.offset_minutes < 0 ? '-' : '+';
  append_number(out, offset / 60, 2);
  out += ':';
  append_number(out, offset % 60, 2);
}

std::vector<std::string_view> TimeFormat::names() {
  std::vector<std::string_view> names;
  for (const NamedFormat& named : kNamedFormats) names.push_back(named.name);
  return names;
}

Result<TimeFormat> TimeFormat::parse(std::string_view format) {
  TimeFormat made;
  const auto named = std::ranges::find(kNamedFormats, format, &NamedFormat::name);
  if (named == kNamedFormats.end()) {
    auto form = TRY(compile(format));
    made.forms_.push_back(std::move(form));
    return made;
  }
  for (const std::string_view one : named->forms) {
    if (one.empty()) continue;
    auto form = compile(one);
    if (form) made.forms_.push_back(std::move(*form));
  }
  return made;
}

Result<TimeFormat::Form> TimeFormat::compile(std::string_view format) {
  Form form;
  bool has_year = false;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      form.push_back({0, format[i]});
      continue;
    }
    if (++i == format.size()) return fail("it ends in a lone %");
    const char code = format[i];
    if (code == '%') {
      form.push_back({0, '%'});
    } else if (kCodes.contains(code)) {
      form.push_back({code, 0});
      has_year = has_year || code == 'Y' || code == 'y' || code == 'G' || code == 's';
    } else {
      return fail(
          std::string("%") + code + " is not known; the letters are %" +
          "Y %m %d %b %B %y %j %H %I %p %M %S %f %z %s, %G %V %u for ISO weeks, %q for a quarter");
    }
  }
  // A format that cannot give a date is refused with the rule, not path by path.
  if (!has_year) return fail("it has no year (%Y, %y, %G or %s), and there is no date without one");
  return form;
}

std::optional<CivilTime> TimeFormat::read(const Form& form, std::string_view text) {
  Parts parts;
  for (const Step& step : form) {
    if (!(step.code == 0 ? take(text, step.literal) : take_code(step.code, text, parts)))
      return std::nullopt;
  }
  if (!text.empty()) return std::nullopt;
  return settle(parts);
}

std::optional<CivilTime> TimeFormat::read(std::string_view text) const {
  for (const Form& form : forms_) {
    if (const auto time = read(form, text)) return time;
  }
  return std::nullopt;
}

}  // namespace airlock::rules
