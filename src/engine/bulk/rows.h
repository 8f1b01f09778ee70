// The lines that a bulk job writes: one JSON object for each path.
//
// A path comes back byte for byte (base/json_writer.h), as the extractor itself sees it. What a
// terminal would obey or hide has escapes, in data too: the same value is read back.
#pragma once

#include <string>
#include <string_view>

namespace airlock {

// `data` is a JSON object on one line, checked before.
void append_row(std::string& out, std::string_view path, std::string_view data);
// `type` and `message` are text of any kind; they are escaped here.
void append_failed_row(std::string& out, std::string_view path, std::string_view type,
                       std::string_view message);

}  // namespace airlock
