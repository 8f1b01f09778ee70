// Reading rows back: the lines that engine/bulk/rows.h writes, and nothing else. Their data was
// checked when they were written, so a line that does not fit is a damaged file, not an attack.
//
// By hand rather than with a JSON library: millions of rows are read, and most of each is copied as
// it stands. Views point into the line.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace airlock {

// Of a row that is ok, `data` is filled, and perhaps `tags`; of the others, the two error texts.
struct RowParts {
  std::string path;  // the bytes
  bool ok = false;
  std::string_view data;  // JSON; points into the line
  std::string_view tags;  // a JSON list, of rules that have tags; else empty
  std::string error_type;
  std::string error_message;
};

// `line` without its newline.
std::optional<RowParts> take_apart(std::string_view line);

// The members of a JSON object, in order: the key as text, the value as JSON.
void each_member(std::string_view object,
                 const std::function<void(std::string key, std::string_view value)>& see);

// A JSON string with its quotes, as bytes; \udc80 … \udcff stand for bytes that are not UTF-8.
std::string unquote(std::string_view quoted);

}  // namespace airlock
