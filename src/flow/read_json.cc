#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/utf8.h"
#include "flow/json_text.h"
#include "flow/read_document.h"

namespace airlock::flow {

namespace {

// Stands for a number that is not finite until the text has been read. No text that people write.
constexpr std::string_view kMark = "\x01\x02not finite: ";

struct Place {
  std::size_t line = 1;
  std::size_t column = 1;
};

Place place_of(std::string_view text, std::size_t at) {
  Place place;
  for (const char c : text.substr(0, at)) {
    place.column = c == '\n' ? 1 : place.column + 1;
    place.line += c == '\n' ? 1 : 0;
  }
  return place;
}

// Where the text that begins with a quote at `at` ends: the place after its other quote.
std::size_t end_of_text(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
}

bool is_too_deep(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '"') {
      at = end_of_text(text, at);
      continue;
    }
    if (text[at] == '[' || text[at] == '{') ++depth;
    if ((text[at] == ']' || text[at] == '}') && depth > 0) --depth;
    if (depth > kMaxDepth) return true;
    ++at;
  }
  return false;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// How long the integer that begins here is, when it has more than 64 bits; otherwise 0.
std::size_t long_integer_at(std::string_view text, std::size_t at) {
  constexpr std::size_t kAlwaysFit = 18;  // digits
  if (!is_digit(text[at])) return 0;
  std::size_t end = at;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end - at <= kAlwaysFit) return 0;
  if (end < text.size() && (text[end] == '.' || text[end] == 'e' || text[end] == 'E')) return 0;
  const bool is_negative = at > 0 && text[at - 1] == '-';
  std::uint64_t value = 0;
  const auto read = std::from_chars(text.data() + at, text.data() + end, value);
  constexpr std::uint64_t kMostNegative = std::uint64_t{1} << 63;
  return read.ec == std::errc() && (!is_negative || value <= kMostNegative) ? 0 : end - at;
}

// Texts are copied; of the rest `rewrite(out, at)` takes some bytes, at least one, and says how
// many.
template <typename Rewrite>
std::string rewrite_outside_texts(std::string_view text, Rewrite rewrite) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '"') {
      at += rewrite(out, at);
      continue;
    }
    const std::size_t end = std::min(text.size(), end_of_text(text, at));
    out += text.substr(at, end - at);
    at = end;
  }
  return out;
}

// JSON with what has no place in `Json` as marked texts.
std::string mark_long_integers(std::string_view text) {
  return rewrite_outside_texts(text, [text](std::string& out, std::size_t at) -> std::size_t {
    if (!is_digit(text[at])) {
      out += text[at];
      return 1;
    }
    const std::size_t length = long_integer_at(text, at);
    if (length > 0) {
      const bool is_negative = out.ends_with('-');
      if (is_negative) out.pop_back();
      out += long_integer((is_negative ? "-" : "") + std::string(text.substr(at, length))).dump();
    }
    // The rest of a number: its fraction and its exponent are not looked at on their own.
    const std::size_t rest = at + length;
    const std::size_t end = std::min(text.find_first_not_of("0123456789.eE+-", rest), text.size());
    out += text.substr(rest, end - rest);
    return end - at;
  });
}

// Outside of texts, or so it seems: who marks them looks closer.
bool may_hold_long_integers(std::string_view text) {
  constexpr std::size_t kAtLeast = 19;
  std::size_t digits = 0;
  return std::ranges::any_of(text, [&](char c) {
    digits = is_digit(c) ? digits + 1 : 0;
    return digits >= kAtLeast;
  });
}

// As Python writes them, outside of texts.
std::string mark_not_finite(std::string_view text) {
  return rewrite_outside_texts(text, [text](std::string& out, std::size_t at) -> std::size_t {
    for (const std::string_view word : {"-Infinity", "Infinity", "NaN"}) {
      if (!text.substr(at).starts_with(word)) continue;
      // Escaped, because control characters are not allowed in JSON's texts.
      out += "\"\\u0001\\u0002not finite: " + std::string(word) + "\"";
      return word.size();
    }
    out += text[at];
    return 1;
  });
}

void unmark(Json& value) {
  if (value.is_structured()) {
    for (Json& inner : value) unmark(inner);
    return;
  }
  if (!value.is_string()) return;
  const auto& text = value.get_ref<const std::string&>();
  if (!text.starts_with(kMark)) return;
  const double infinity = std::numeric_limits<double>::infinity();
  const bool is_nan = text.ends_with("NaN");
  const bool is_negative = text.ends_with("-Infinity");
  value = is_nan ? std::numeric_limits<double>::quiet_NaN() : is_negative ? -infinity : infinity;
}

Result<Json> parse(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& mistake) {
    const std::size_t at = mistake.byte > 0 ? mistake.byte - 1 : 0;
    const Place place = place_of(text, std::min(at, text.size()));
    std::string words = mistake.what();
    const std::size_t colon = words.rfind(" - ");
    words = colon == std::string::npos ? "it cannot be read" : words.substr(colon + 3);
    return fail("not JSON at line " + std::to_string(place.line) + ", column " +
                std::to_string(place.column) + ": " + words);
  } catch (const Json::exception&) {
    return fail("not JSON: a number is too large");
  }
}

}  // namespace

Result<Json> read_json(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (text.size() > kMaxDocument) return fail("it is larger than 256 MiB");
  if (is_too_deep(text))
    return fail("it is nested deeper than " + std::to_string(kMaxDepth) + " levels");
  std::string marked_text;
  if (may_hold_long_integers(text)) text = marked_text = mark_long_integers(text);
  auto value = parse(text);
  if (value) return value;
  auto marked = parse(mark_not_finite(text));
  if (!marked) return value;
  unmark(*marked);
  return marked;
}

}  // namespace airlock::flow
