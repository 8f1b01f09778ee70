#include "flow/json_text.h"

#include <algorithm>

namespace airlock::flow {

namespace {

// No text that people write; as it is, and as it is written.
constexpr std::string_view kMark = "\x01\x02integer: ";
constexpr std::string_view kWrittenMark = "\"\\u0001\\u0002integer: ";

bool is_integer(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string json_text(const Json& value) {
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::size_t at = text.find(kWrittenMark);
  if (at == std::string::npos) return text;
  std::string out;
  std::size_t done = 0;
  for (; at != std::string::npos; at = text.find(kWrittenMark, at + 1)) {
    const std::size_t digits = at + kWrittenMark.size();
    const std::size_t end = text.find('"', digits);
    const std::string_view number = std::string_view(text).substr(digits, end - digits);
    if (!is_integer(number)) continue;
    out.append(text, done, at - done).append(number);
    done = end + 1;
  }
  return out.append(text, done);
}

std::string json_quoted(std::string_view text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json long_integer(std::string_view digits) {
  return std::string(kMark) + std::string(digits);
}

std::optional<std::string_view> as_long_integer(const Json& value) {
  if (!value.is_string()) return std::nullopt;
  std::string_view text = value.get_ref<const std::string&>();
  if (!text.starts_with(kMark) || !is_integer(text.substr(kMark.size()))) return std::nullopt;
  return text.substr(kMark.size());
}

}  // namespace airlock::flow
