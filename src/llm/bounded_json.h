// JSON from strangers, as nlohmann reads it: no exception, no depth beyond kMostDepth, UTF-8 only.
// The accessors never fail: a member that is missing or of another type reads as null or as
// nothing, so that a reader of answers can follow a path through any document. Pure.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace airlock::llm {

// Levels of arrays and objects. The answers of all providers have fewer than ten.
inline constexpr std::size_t kMostDepth = 32;

// Nothing when it is no JSON, or nests deeper. The caller bounds its size.
std::optional<nlohmann::json> parse_bounded(std::string_view text);

// The member, or null when `object` is none or has none of that name.
const nlohmann::json& member(const nlohmann::json& object, std::string_view name);

// A count of tokens; nothing when it is none, or absurd.
std::optional<std::int64_t> count_in(const nlohmann::json& value);

// Nothing when it is no text.
std::optional<std::string_view> text_in(const nlohmann::json& value);

// The message of an error in any of the forms that servers have; empty when there is none.
std::string error_words(const nlohmann::json& document);

}  // namespace airlock::llm
