#include "engine/bulk/row_parts.h"

#include <charconv>

#include "base/utf8.h"

namespace airlock {

namespace {

// The length of the JSON string at the beginning, quotes included; 0 when there is none.
std::size_t string_length(std::string_view text) {
  if (!text.starts_with('"')) return 0;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      return i + 1;
  }
  return 0;
}

// The length of any value at the beginning.
std::size_t value_length(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      const std::size_t length = string_length(text.substr(i));
      if (length == 0) return text.size();  // it does not end: nothing here is whole
      i += length - 1;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (depth == 0) return i;
      --depth;
    } else if (c == ',' && depth == 0) {
      return i;
    }
  }
  return text.size();
}

bool take(std::string_view& text, std::string_view wanted) {
  if (!text.starts_with(wanted)) return false;
  text.remove_prefix(wanted.size());
  return true;
}

bool take_string(std::string_view& text, std::string& to) {
  const std::size_t length = string_length(text);
  if (length == 0) return false;
  to = unquote(text.substr(0, length));
  text.remove_prefix(length);
  return true;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  return text;
}

// 0 when there are none; never reads past the end.
unsigned hex4(std::string_view text, std::size_t at) {
  unsigned unit = 0;
  const std::string_view digits = text.substr(std::min(at, text.size()), 4);
  std::from_chars(digits.data(), digits.data() + digits.size(), unit, 16);
  return unit;
}

// What follows a backslash at `at`; says how many characters it was.
std::size_t append_escape(std::string& out, std::string_view text, std::size_t at) {
  const char c = text[at];
  constexpr std::string_view kNames = "bfnrt";
  constexpr std::string_view kMeant = "\b\f\n\r\t";
  if (c != 'u') {
    const std::size_t known = kNames.find(c);
    out += known == std::string_view::npos ? c : kMeant[known];
    return 1;
  }
  const unsigned unit = hex4(text, at + 1);
  const bool is_first_half = unit >= 0xD800 && unit < 0xDC00;
  if (is_first_half && text.substr(std::min(at + 5, text.size())).starts_with("\\u")) {
    const unsigned low = hex4(text, at + 7);
    append_utf8(out, 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00));
    return 11;
  }
  // As Python's surrogateescape has it: a byte of a path that is no UTF-8.
  if (unit >= 0xDC80 && unit <= 0xDCFF) {
    out += static_cast<char>(unit - 0xDC00);
  } else {
    append_utf8(out, unit);
  }
  return 5;
}

}  // namespace

std::string unquote(std::string_view quoted) {
  const std::string_view text = quoted.substr(1, quoted.size() - 2);
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t escape = text.find('\\', at);
    out += text.substr(at, escape - at);
    if (escape == std::string_view::npos || escape + 1 >= text.size()) break;
    at = escape + 1 + append_escape(out, text, escape + 1);
  }
  return out;
}

std::optional<RowParts> take_apart(std::string_view line) {
  RowParts parts;
  if (!take(line, R"({"path": )") || !take_string(line, parts.path)) return std::nullopt;
  // Exactly as rows.cc writes them, blanks included.
  if (take(line, R"(, "ok": true, "data": )")) {
    if (!line.starts_with('{') || !line.ends_with('}')) return std::nullopt;
    line.remove_suffix(1);
    const std::size_t length = value_length(line);
    parts.ok = true;
    parts.data = line.substr(0, length);
    std::string_view rest = line.substr(length);
    if (take(rest, R"(, "tags": )")) parts.tags = rest;
    const bool is_whole = parts.data.ends_with('}') && (rest.empty() || rest.ends_with(']'));
    return is_whole ? std::optional(parts) : std::nullopt;
  }
  if (!take(line, R"(, "ok": false, "error": {"type": )") || !take_string(line, parts.error_type) ||
      !take(line, R"(, "message": )") || !take_string(line, parts.error_message) || line != "}}")
    return std::nullopt;
  return parts;
}

void each_member(std::string_view object,
                 const std::function<void(std::string key, std::string_view value)>& see) {
  std::string_view rest = trimmed(object.substr(1, object.size() - 2));
  while (!rest.empty()) {
    std::string key;
    if (!take_string(rest, key)) return;
    rest = trimmed(rest);
    if (!take(rest, ":")) return;
    rest = trimmed(rest);
    const std::size_t length = value_length(rest);
    see(std::move(key), trimmed(rest.substr(0, length)));
    rest = trimmed(rest.substr(length));
    if (!take(rest, ",")) return;
    rest = trimmed(rest);
  }
}

}  // namespace airlock
