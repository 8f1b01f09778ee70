#include "rules/infer/token_class.h"

#include <algorithm>
#include <array>
#include <optional>
#include <ranges>
#include <set>
#include <vector>

#include "base/ascii.h"
#include "rules/match/civil_time.h"

namespace airlock::rules {

namespace {

// 1900 to 2099: years that people file things under. A wider range would make any four digits a
// year.
bool is_plausible_year(std::string_view text) {
  return text.size() == 4 && is_all_digits(text) &&
         (text.starts_with("19") || text.starts_with("20"));
}

bool is_plausible_date(std::string_view text) {
  return text.size() >= 8 && is_plausible_year(text.substr(0, 4)) && read_date(text).has_value();
}

bool is_datetime(std::string_view text) {
  return text.size() >= 12 && is_plausible_year(text.substr(0, 4)) &&
         read_datetime(text).has_value();
}

bool fits_format(std::string_view text, std::string_view name) {
  if (text.size() < 6 || text.size() > 10 || !is_plausible_year(text.substr(0, 4))) return false;
  const auto format = TimeFormat::parse(name);
  return format && format->read(text);
}

// Forms that type date does not read by itself, the surer first: 03.04.2024 is 3 April. The last
// one has no separators and no century, and is held to stricter tests below.
constexpr std::array<std::string_view, 14> kWrittenForms = {
    "%d.%m.%Y", "%d-%m-%Y", "%d_%m_%Y", "%m-%d-%Y", "%m_%d_%Y", "%d-%b-%Y", "%d%b%Y",
    "%b-%d-%Y", "%Y-%b-%d", "%Y%b%d",   "%d_%b_%Y", "%B-%d-%Y", "%d %B %Y", "%y%m%d"};

// 20 bytes hold the longest of them, "15-September-2024". The last form is tried on six digits
// alone.
bool is_written_in(std::string_view text, std::size_t form) {
  static const std::vector<TimeFormat> kForms = [] {
    std::vector<TimeFormat> forms;
    for (const std::string_view one : kWrittenForms)
      if (auto parsed = TimeFormat::parse(one)) forms.push_back(std::move(*parsed));
    return forms;
  }();
  if (text.size() < 6 || text.size() > 20) return false;
  if (form + 1 == kForms.size() && (text.size() != 6 || !is_all_digits(text))) return false;
  const auto read = kForms[form].read(text);
  return read && read->year >= 1900 && read->year < 2100;
}

// Stops at `enough`: more need not be counted.
std::size_t count_different(std::span<const std::string_view> values, std::size_t enough) {
  std::set<std::string_view> different;
  for (const std::string_view value : values) {
    different.insert(value);
    if (different.size() >= enough) break;
  }
  return different.size();
}

// Nothing when no form reads them all. Six digits are a date when several different ones are: of
// other numbers one in thirty happens to be.
std::optional<std::size_t> written_form(std::span<const std::string_view> values) {
  // Four by chance would be one in thirty to the fourth.
  constexpr std::size_t kSure = 4;
  for (std::size_t form = 0; form < kWrittenForms.size(); ++form) {
    if (form + 1 == kWrittenForms.size() && count_different(values, kSure) < kSure) continue;
    if (std::ranges::all_of(values,
                            [&](std::string_view value) { return is_written_in(value, form); }))
      return form;
  }
  return std::nullopt;
}

bool is_time_of_day(std::string_view text) {
  std::string digits;
  for (const char c : text)
    if (is_digit(c)) digits += c;
  const bool is_form = text.size() == 6 || (text.size() == 8 && text[2] == text[5] &&
                                            std::string_view("-_.:").contains(text[2]));
  return is_form && digits.size() == 6 && digits.substr(0, 2) < "24" &&
         digits.substr(2, 2) < "60" && digits.substr(4, 2) < "60";
}

// Seconds since 1970, or thousandths and so on of them, from 2001 to 2033.
bool is_epoch(std::string_view text) {
  return (text.size() == 10 || text.size() == 13 || text.size() == 16 || text.size() == 19) &&
         is_all_digits(text) && text[0] == '1';
}

// 185001 … 210012: climate models run beyond the years that people file things under.
bool is_year_month(std::string_view text) {
  if (fits_format(text, "year_month")) return true;
  return text.size() == 6 && is_all_digits(text) && text >= "180001" && text <= "219912" &&
         text.substr(4) >= "01" && text.substr(4) <= "12";
}

bool is_month_name(std::string_view text) {
  static constexpr std::array<std::string_view, 12> kMonths = {
      "january", "february", "march",     "april",   "may",      "june",
      "july",    "august",   "september", "october", "november", "december"};
  const std::string in_lower = lower(text);
  return std::ranges::any_of(kMonths, [&](std::string_view month) {
    return in_lower == month || in_lower == month.substr(0, 3) ||
           (month == "september" && in_lower == "sept");
  });
}

bool is_decimal(std::string_view text) {
  const std::size_t dot = text.find('.');
  return dot != std::string_view::npos && dot > 0 && dot + 1 < text.size() &&
         is_all_digits(text.substr(0, dot)) && is_all_digits(text.substr(dot + 1));
}

// Four numbers of at most three digits; that each is below 256 is not asked, nothing else looks so.
bool is_address(std::string_view text) {
  int parts = 0;
  while (!text.empty()) {
    const std::size_t dot = std::min(text.find('.'), text.size());
    const std::string_view part = text.substr(0, dot);
    if (part.empty() || part.size() > 3 || !is_all_digits(part)) return false;
    ++parts;
    if (dot == text.size()) break;
    text.remove_prefix(dot + 1);
  }
  return parts == 4;
}

// Five numbers or more with dots between, as DICOM and SNMP have them.
bool is_uid(std::string_view text) {
  return std::ranges::count(text, '.') >= 4 && is_digit(text.front()) && is_digit(text.back()) &&
         !text.contains("..") &&
         std::ranges::all_of(text, [](char c) { return is_digit(c) || c == '.'; });
}

// Between dots: numbers, or what releases are called. 00.BHZ.D is no version.
bool has_release_parts(std::string_view text) {
  static constexpr std::array<std::string_view, 16> kWords = {
      "dev", "post", "rc", "alpha", "beta", "final", "release",  "ga",
      "sp",  "el",   "fc", "jre",   "deb",  "pre",   "snapshot", "x"};
  while (!text.empty()) {
    const std::size_t dot = std::min(text.find('.'), text.size());
    const std::string part = lower(text.substr(0, dot));
    const bool is_known =
        !part.empty() && (is_digit(part[0]) || std::ranges::any_of(kWords, [&](auto word) {
                            return part.starts_with(word);
                          }));
    if (!is_known) return false;
    text.remove_prefix(std::min(dot + 1, text.size()));
  }
  return true;
}

// 3.12.0, v2, 1.0-SNAPSHOT, 2:1.2-3+deb12u1: digits with dots first, then what packagers add.
bool is_version(std::string_view text) {
  const bool has_v = text.size() > 1 && (text[0] == 'v' || text[0] == 'V') && is_digit(text[1]);
  if (has_v) text.remove_prefix(1);
  if (text.empty() || !is_digit(text[0])) return false;
  const bool has_dot = text.contains('.');
  if (!has_dot && !has_v) return false;
  std::size_t digits = 0;
  for (const char c : text) {
    if (is_digit(c)) ++digits;
    const bool is_known =
        is_digit(c) || is_lower(c) || is_upper(c) || std::string_view(".-+~:").contains(c);
    if (!is_known) return false;
  }
  const std::size_t dot = text.find('.');
  // At least a quarter are digits: otherwise it is a word with a number in it.
  return digits * 4 >= text.size() &&
         (!has_dot || (dot + 1 < text.size() && is_digit(text[dot - 1]))) &&
         has_release_parts(text.substr(0, text.find_first_of("-+~:")));
}

// Cloud regions as AWS, Azure and Google write them: us-east-1, europe-west4, ap-southeast-2.
bool is_region(std::string_view text) {
  static constexpr std::array<std::string_view, 16> kAreas = {
      "us", "eu", "ap",     "sa",   "ca",        "me",           "af",           "cn",
      "il", "mx", "europe", "asia", "australia", "northamerica", "southamerica", "us-gov"};
  static constexpr std::array<std::string_view, 9> kSides = {"northeast", "northwest", "southeast",
                                                             "southwest", "north",     "south",
                                                             "east",      "west",      "central"};
  const std::size_t dash = text.rfind("us-gov-", 0) == 0 ? 6 : text.find('-');
  if (dash == std::string_view::npos) return false;
  if (std::ranges::find(kAreas, text.substr(0, dash)) == kAreas.end()) return false;
  std::string_view rest = text.substr(dash + 1);
  for (const std::string_view side : kSides) {
    if (!rest.starts_with(side)) continue;
    rest.remove_prefix(side.size());
    if (rest.starts_with('-')) rest.remove_prefix(1);
    return !rest.empty() && rest.size() <= 2 && is_digit(rest[0]);
  }
  return false;
}

// Of random hexadecimal digits more than a third are letters (6 of 16), so one in seven is a safe
// least; an account number with two letters in it is no hash.
bool is_hash(std::string_view text) {
  const auto letters =
      static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return !is_digit(c); }));
  return text.size() >= 16 && std::ranges::all_of(text, is_hex_digit) && letters * 7 >= text.size();
}

// One of `letters`, then one to `most_digits` digits.
bool is_prefixed(std::string_view text, std::string_view letters, std::size_t most_digits) {
  return text.size() > 1 && text.size() <= most_digits + 1 && letters.contains(text[0]) &&
         is_all_digits(text.substr(1));
}

bool is_code(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return is_upper(c) || is_digit(c); }) &&
         std::ranges::any_of(text, is_upper);
}

bool is_word(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return is_upper(c) || is_lower(c); });
}

// Tried in this order: the first that all values are of is the most telling. So a class stands
// before every class that contains it: dates before numbers, codes before words.
constexpr std::array kOrder = {
    TokenClass::kUuid,      TokenClass::kDatetime,    TokenClass::kDate,
    TokenClass::kIsoWeek,   TokenClass::kYearQuarter, TokenClass::kYear,
    TokenClass::kQuarter,   TokenClass::kWeek,        TokenClass::kMonthName,
    TokenClass::kYearMonth, TokenClass::kOrdinalDate, TokenClass::kWrittenDate,
    TokenClass::kTimeOfDay, TokenClass::kEpoch,       TokenClass::kNumber,
    TokenClass::kAddress,   TokenClass::kUid,         TokenClass::kHash,
    TokenClass::kShortHash, TokenClass::kRegion,      TokenClass::kVersion,
    TokenClass::kDecimal,   TokenClass::kBoolean,     TokenClass::kCode,
    TokenClass::kWord};

// Of one length, and at least seven of ten mix digits and letters: words made of a to f have no
// digits. Four different ones at least, as with every class that one value may be of by chance.
bool are_short_hashes(std::span<const std::string_view> values) {
  std::size_t mixed = 0;
  const auto form = [](std::string_view value) {
    std::string kinds;
    for (const char c : value) kinds += is_digit(c) ? '9' : 'a';
    return kinds;
  };
  bool is_one_form = true;  // e20211971: no hash has its letters always in one place
  for (const std::string_view value : values) {
    if (value.size() != values.front().size()) return false;
    is_one_form = is_one_form && form(value) == form(values.front());
    const auto digits = static_cast<std::size_t>(std::ranges::count_if(value, is_digit));
    if (digits > 0 && digits < value.size()) ++mixed;
  }
  return !is_one_form && mixed * 10 >= values.size() * 7 && count_different(values, 4) >= 4;
}

// Some classes hold for one value in many by chance (any six digits below 235959 are a time). They
// are believed only of several different values; the thresholds are how many make chance unlikely.
bool is_believable(TokenClass what, std::span<const std::string_view> values) {
  if (what == TokenClass::kWrittenDate) return written_form(values).has_value();
  if (what == TokenClass::kTimeOfDay) {
    if (values.front().size() == 8) return count_different(values, 2) >= 2;
    // 000001 … 000040 are a counter: real times have different hours.
    std::set<std::string_view> hours;
    for (const std::string_view value : values) hours.insert(value.substr(0, 2));
    return count_different(values, 5) >= 5 && hours.size() >= 3;
  }
  if (what == TokenClass::kYearMonth)
    return fits_format(values.front(), "year_month") || count_different(values, 2) >= 2;
  if (what == TokenClass::kShortHash) return are_short_hashes(values);
  return what != TokenClass::kEpoch || count_different(values, 3) >= 3;
}

}  // namespace

bool is_all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

std::string_view name_of(TokenClass what) {
  // In the order of the enum.
  static constexpr std::array<std::string_view, 26> kNames = {
      "date",
      "date and time",
      "year and month",
      "ISO week",
      "year and quarter",
      "ordinal date",
      "written date",
      "time of day",
      "seconds since 1970",
      "quarter",
      "week",
      "month name",
      "year",
      "number",
      "decimal number",
      "UUID",
      "hash",
      "short hash",
      "version",
      "address",
      "registered number",
      "region",
      "boolean",
      "code",
      "word",
      "text",
  };
  return kNames[static_cast<std::size_t>(what)];
}

// One line for each class; what takes more than a line has a function above.
bool is_of_class(std::string_view text, TokenClass what) {
  if (text.empty()) return false;
  switch (what) {
    case TokenClass::kDate:
      return is_plausible_date(text);
    case TokenClass::kDatetime:
      return is_datetime(text);
    case TokenClass::kYearMonth:
      return is_year_month(text);
    case TokenClass::kIsoWeek:
      return fits_format(text, "iso_week");
    case TokenClass::kYearQuarter:
      return fits_format(text, "quarter");
    case TokenClass::kOrdinalDate:
      return text.size() >= 7 && fits_format(text, "ordinal");
    case TokenClass::kWrittenDate:
      return std::ranges::any_of(std::views::iota(std::size_t{0}, kWrittenForms.size()),
                                 [&](std::size_t form) { return is_written_in(text, form); });
    case TokenClass::kTimeOfDay:
      return is_time_of_day(text);
    case TokenClass::kEpoch:
      return is_epoch(text);
    case TokenClass::kQuarter:
      return text.size() == 2 && (text[0] == 'Q' || text[0] == 'q') && text[1] >= '1' &&
             text[1] <= '4';
    case TokenClass::kWeek:
      return is_prefixed(text, "Ww", 2) && text.size() == 3;
    case TokenClass::kMonthName:
      return is_month_name(text);
    case TokenClass::kYear:
      return is_plausible_year(text);
    case TokenClass::kNumber:
      return is_all_digits(text);
    case TokenClass::kDecimal:
      return is_decimal(text);
    case TokenClass::kUuid:
      return text.size() == 36 && convert(text, ValueType::kUuid, nullptr).has_value();
    case TokenClass::kHash:
      return is_hash(text);
    case TokenClass::kShortHash:
      return text.size() >= 6 && text.size() <= 40 &&
             std::ranges::all_of(text, [](char c) { return is_hex_digit(c) && !is_upper(c); });
    case TokenClass::kVersion:
      return is_version(text);
    case TokenClass::kAddress:
      return is_address(text);
    case TokenClass::kUid:
      return is_uid(text);
    case TokenClass::kRegion:
      return is_region(text);
    case TokenClass::kBoolean: {
      const std::string in_lower = lower(text);
      return in_lower == "true" || in_lower == "false";
    }
    case TokenClass::kCode:
      return is_code(text);
    case TokenClass::kWord:
      return is_word(text);
    case TokenClass::kText:
      return true;
  }
  return false;
}

TokenClass common_class(std::span<const std::string_view> values) {
  for (const TokenClass what : kOrder) {
    if (std::ranges::all_of(values,
                            [&](std::string_view value) { return is_of_class(value, what); }) &&
        is_believable(what, values))
      return what;
  }
  return TokenClass::kText;
}

FieldForm form_of(TokenClass what, std::span<const std::string_view> values) {
  switch (what) {
    case TokenClass::kDate:
      return {ValueType::kDate, ""};
    case TokenClass::kDatetime:
      return {ValueType::kDatetime, ""};
    case TokenClass::kOrdinalDate:
      return {ValueType::kDate, "ordinal"};
    case TokenClass::kWrittenDate: {
      const auto form = written_form(values);
      return form ? FieldForm{ValueType::kDate, std::string(kWrittenForms[*form])} : FieldForm{};
    }
    case TokenClass::kYear:
    case TokenClass::kQuarter:
    case TokenClass::kWeek:
    case TokenClass::kEpoch:
      return {ValueType::kInteger, ""};
    case TokenClass::kNumber: {
      // Past 18 digits a number may not fit, and is a name that happens to be made of digits.
      const bool is_short =
          std::ranges::all_of(values, [](std::string_view value) { return value.size() <= 18; });
      return {is_short ? ValueType::kInteger : ValueType::kString, ""};
    }
    case TokenClass::kDecimal:
      return {ValueType::kFloat, ""};
    case TokenClass::kUuid:
      return {ValueType::kUuid, ""};
    case TokenClass::kBoolean:
      return {ValueType::kBoolean, ""};
    default:
      return {};
  }
}

// Tight where the class has a fixed shape. Empty: no pattern is tighter than "anything".
std::string pattern_of(TokenClass what, std::span<const std::string_view> values) {
  switch (what) {
    case TokenClass::kDate: {
      const std::string_view first = values.front();
      if (first.size() == 8) return "\\d{8}";
      return first[4] == '.' ? "\\d{4}\\.\\d{2}\\.\\d{2}"
                             : "\\d{4}" + std::string(1, first[4]) + "\\d{2}" + first[7] + "\\d{2}";
    }
    case TokenClass::kYear:
      return "\\d{4}";
    case TokenClass::kNumber:
    case TokenClass::kEpoch:
      return "\\d+";
    case TokenClass::kUuid:
      return "[0-9a-fA-F-]{36}";
    case TokenClass::kHash:
      return "[0-9a-fA-F]+";
    case TokenClass::kCode:
      return "[A-Z0-9]+";
    case TokenClass::kWord:
      return "[A-Za-z]+";
    default:
      return {};
  }
}

}  // namespace airlock::rules
