// JSON that is handed on as text, on one line, and integers that are longer than JSON's libraries
// take. Used wherever a flow's values cross to Python or to the store.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "flow/document.h"

namespace airlock::flow {

// Text that is not UTF-8 gets U+FFFD for what cannot be written.
std::string json_text(const Json& value);
// As a JSON string, with its quotes.
std::string json_quoted(std::string_view text);

// Python's integers have no end; those of `Json` have 64 bits. A longer one is a value of a kind
// that no document can hold (`binary`), and json_text() writes the number that it is. `digits`:
// "-123…".
Json long_integer(std::string_view digits);
// Its digits.
std::optional<std::string> as_long_integer(const Json& value);

}  // namespace airlock::flow
