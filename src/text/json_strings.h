// The strings of a JSON text with the names they stand under and the places they start at.
// For code that a model sent inside JSON; nlohmann's parser does the reading.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace airlock::text {

struct JsonString {
  std::string value;
  std::size_t start = 0;  // offset of its opening quote
};

// One string, or a list of strings (code as a list of lines).
struct JsonItem {
  std::string key;  // the nearest name above it; empty for none
  std::vector<JsonString> parts;
};

// Empty when `json` is not valid JSON or nests deeper than 64.
std::vector<JsonItem> collect_json_strings(std::string_view json);

// Whether the whole text is one JSON value, nested no deeper than 64.
bool is_json(std::string_view json);

// The same text with what models get wrong inside strings set right: raw line ends and tabs, and
// backslashes in front of what JSON does not escape (\d). Every byte that is added is noted:
// `added` gets its offset in the new text.
std::string repair_json(std::string_view json, std::vector<std::size_t>& added);

}  // namespace airlock::text
