#include "llm/bounded_json.h"

#include "base/utf8.h"

namespace airlock::llm {

namespace {

// Bytes of a server's message that are shown.
constexpr std::size_t kLongestWords = 300;

// Counts brackets before the parser sees the text: a value is freed by recursion, one call for each
// level, so depth must be bounded before a value exists. Text that is no JSON may be counted
// wrongly; the parser refuses it afterwards.
bool nests_too_deep(std::string_view text) {
  std::size_t depth = 0;
  bool is_inside_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (is_inside_string) {
      if (c == '\\') ++at;
      if (c == '"') is_inside_string = false;
    } else if (c == '"') {
      is_inside_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMostDepth) return true;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
}

// What every missing member refers to: member() returns references.
const nlohmann::json& null_value() {
  static const nlohmann::json null;
  return null;
}

}  // namespace

std::optional<nlohmann::json> parse_bounded(std::string_view text) {
  if (nests_too_deep(text)) return std::nullopt;
  nlohmann::json value = nlohmann::json::parse(text, nullptr, false);
  if (value.is_discarded()) return std::nullopt;
  return value;
}

const nlohmann::json& member(const nlohmann::json& object, std::string_view name) {
  if (!object.is_object()) return null_value();
  const auto found = object.find(name);
  return found == object.end() ? null_value() : *found;
}

std::optional<std::int64_t> count_in(const nlohmann::json& value) {
  // Above any context window; sums of two stay far from overflow.
  constexpr std::int64_t kMostTokens = 1'000'000'000;
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t{kMostTokens})
    return std::nullopt;
  const auto count = value.get<std::int64_t>();
  return count < 0 || count > kMostTokens ? std::nullopt : std::optional(count);
}

std::optional<std::string_view> text_in(const nlohmann::json& value) {
  const auto* text = value.get_ptr<const nlohmann::json::string_t*>();
  return text == nullptr ? std::nullopt : std::optional<std::string_view>(*text);
}

std::string error_words(const nlohmann::json& document) {
  const nlohmann::json& error = member(document, "error");
  // In order: {"error": "…"}, {"error": {"message": "…"}}, {"message": "…"}, {"detail": "…"}.
  for (const nlohmann::json* place : {&error, &member(error, "message"),
                                      &member(document, "message"), &member(document, "detail")}) {
    if (const auto words = text_in(*place); words && !words->empty())
      return std::string(cut_utf8(*words, kLongestWords));
  }
  return {};
}

}  // namespace airlock::llm
