// JSON itself demands escapes only below U+0020. DEL, the C1 controls, bidirectional and invisible
// characters may stand in it raw, and a terminal or a log page would act on them. Outside strings
// JSON is plain ASCII, so escaping can be done on the finished text.
#include "present/report/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/printable.h"
#include "base/utf8.h"

namespace airlock::cli {

namespace {

bool may_hide(char c) {
  return static_cast<unsigned char>(c) >= 0x7F;
}

void append_escape(std::string& out, char32_t value) {
  const auto unit = [&](char32_t code) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(code));
  };
  if (value < 0x10000) {
    unit(value);
  } else {
    unit(0xD800 + ((value - 0x10000) >> 10));
    unit(0xDC00 + ((value - 0x10000) & 0x3FF));
  }
}

}  // namespace

std::string escape_json(std::string text) {
  if (std::ranges::none_of(text, may_hide)) return text;
  std::string out;
  out.reserve(text.size() + 64);
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = may_hide(text[at]) ? decode_utf8(text, at) : CodePoint{U'x', 1};
    const std::size_t bytes = std::max<std::size_t>(1, point.bytes);
    if (shows_itself(point.value)) {
      out.append(text, at, bytes);
    } else {
      append_escape(out, point.value);
    }
    at += bytes;
  }
  return out;
}

std::string json_text(const nlohmann::ordered_json& value, int indent) {
  return escape_json(
      value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

std::string json_page(const nlohmann::ordered_json& value) {
  return json_text(value, 2) + "\n";
}

nlohmann::ordered_json text_or_null(const std::optional<std::string>& text) {
  return text ? nlohmann::ordered_json(*text) : nlohmann::ordered_json(nullptr);
}

}  // namespace airlock::cli
