// A long integer is a value of the one kind that no text can make: `binary`, with its digits as
// bytes. So there is no mark that a text or a key of a document could forge.
#include "flow/value_text.h"

#include <algorithm>
#include <cmath>

#include "base/json_writer.h"

namespace airlock::flow {

namespace {

bool holds_long_integer(const Json& value) {
  if (value.is_structured()) return std::ranges::any_of(value, holds_long_integer);
  return value.is_binary();
}

// As deep as documents may be nested (read_document.h).
void append(std::string& out, const Json& value) {
  if (const auto digits = as_long_integer(value)) {
    out += *digits;
  } else if (!value.is_structured()) {
    out += compact_json(value);
  } else {
    out += value.is_object() ? '{' : '[';
    bool is_first = true;
    for (const auto& [key, inner] : value.items()) {
      if (!is_first) out += ',';
      is_first = false;
      if (value.is_object()) out += json_quoted(key) + ':';
      append(out, inner);
    }
    out += value.is_object() ? '}' : ']';
  }
}

}  // namespace

bool is_finite(const Json& value) {
  if (value.is_structured()) return std::ranges::all_of(value, is_finite);
  return !value.is_number_float() || std::isfinite(value.get<double>());
}

std::string json_text(const Json& value) {
  if (!holds_long_integer(value)) return compact_json(value);
  std::string out;
  append(out, value);
  return out;
}

std::string json_quoted(std::string_view text) {
  return compact_json(Json(text));
}

Json long_integer(std::string_view digits) {
  return Json::binary(std::vector<std::uint8_t>(digits.begin(), digits.end()));
}

std::optional<std::string> as_long_integer(const Json& value) {
  if (!value.is_binary()) return std::nullopt;
  const auto& digits = value.get_binary();
  return std::string(digits.begin(), digits.end());
}

}  // namespace airlock::flow
