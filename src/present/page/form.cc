#include "present/page/form.h"

#include <optional>

#include "base/ascii.h"

namespace airlock::page {

namespace {

std::optional<std::string> decode_form_text(std::string_view encoded) {
  std::string text;
  for (std::size_t at = 0; at < encoded.size(); ++at) {
    if (encoded[at] == '+') {
      text += ' ';
      continue;
    }
    if (encoded[at] != '%') {
      text += encoded[at];
      continue;
    }
    if (encoded.size() - at < 3) return std::nullopt;
    const char high = encoded[at + 1];
    const char low = encoded[at + 2];
    if (!is_hex_digit(high) || !is_hex_digit(low)) return std::nullopt;
    const char letter = static_cast<char>(hex_value(high) * 16 + hex_value(low));
    // Browsers send every line end as \r\n, whatever was typed.
    if (letter == '\n' && text.ends_with('\r')) text.pop_back();
    text += letter;
    at += 2;
  }
  return text;
}

}  // namespace

Result<Fields> read_form(std::string_view encoded) {
  if (encoded.size() > kMostFormBytes) return bad_request("the form is larger than 64 KiB");
  Fields fields;
  while (!encoded.empty()) {
    const std::size_t end = encoded.find('&');
    const std::string_view field = encoded.substr(0, end);
    encoded.remove_prefix(end == std::string_view::npos ? encoded.size() : end + 1);
    if (field.empty()) continue;
    const std::size_t equals = field.find('=');
    auto name = decode_form_text(field.substr(0, equals));
    auto value = decode_form_text(equals == std::string_view::npos ? std::string_view()
                                                                   : field.substr(equals + 1));
    if (!name || !value) return bad_request("the form cannot be read: an escape is none");
    if (fields.size() == kMostFields) return bad_request("the form has too many fields");
    if (!fields.emplace(*std::move(name), *std::move(value)).second)
      return bad_request("the form has a field twice");
  }
  return fields;
}

std::string field_of(const Fields& fields, std::string_view name) {
  const auto found = fields.find(name);
  return found == fields.end() ? std::string() : found->second;
}

std::string_view cookie_of(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    const std::size_t end = header.find(';');
    std::string_view one = header.substr(0, end);
    header.remove_prefix(end == std::string_view::npos ? header.size() : end + 1);
    while (one.starts_with(' ')) one.remove_prefix(1);
    const std::size_t equals = one.find('=');
    if (equals != std::string_view::npos && one.substr(0, equals) == name)
      return one.substr(equals + 1);
  }
  return {};
}

}  // namespace airlock::page
