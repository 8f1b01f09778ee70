#include "llm/retry_after.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace airlock::llm {

namespace {

constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

// All of `text` as a number between the two, or nothing.
std::optional<int> number(std::string_view text, int low, int high) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < low || value > high)
    return std::nullopt;
  return value;
}

// "Sun, 06 Nov 1994 08:49:37 GMT", the one form that servers may send today.
std::optional<std::int64_t> parse_date(std::string_view text) {
  if (text.size() != 29 || text.substr(3, 2) != ", " || !text.ends_with(" GMT") ||
      text[19] != ':' || text[22] != ':')
    return std::nullopt;
  const auto day = number(text.substr(5, 2), 1, 31);
  const auto month = std::ranges::find(kMonths, text.substr(8, 3));
  const auto year = number(text.substr(12, 4), 1970, 9999);
  const auto hour = number(text.substr(17, 2), 0, 23);
  const auto minute = number(text.substr(20, 2), 0, 59);
  const auto second = number(text.substr(23, 2), 0, 60);
  if (!day || month == kMonths.end() || !year || !hour || !minute || !second) return std::nullopt;
  using std::chrono::year_month_day;
  const year_month_day date(std::chrono::year(*year),
                            std::chrono::month(static_cast<unsigned>(month - kMonths.begin()) + 1),
                            std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) return std::nullopt;
  const auto days = std::chrono::sys_days(date).time_since_epoch();
  return std::chrono::seconds(days).count() + *hour * 3600LL + *minute * 60LL + *second;
}

}  // namespace

std::optional<std::chrono::seconds> parse_retry_after(std::string_view text, std::int64_t now) {
  if (!text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; })) {
    const auto seconds =
        // More than nine digits do not fit an int; every such number is above kLongestWait anyway.
        text.size() > 9 ? std::optional<int>(999999999) : number(text, 0, 999999999);
    return std::min(std::chrono::seconds(seconds.value_or(0)), kLongestWait);
  }
  const auto date = parse_date(text);
  if (!date) return std::nullopt;
  return std::clamp(std::chrono::seconds(*date - now), std::chrono::seconds(0), kLongestWait);
}

}  // namespace airlock::llm
