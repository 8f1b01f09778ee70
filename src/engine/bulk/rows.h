// The lines that a bulk job writes: one JSON object for each path.
//
// A path is bytes, and JSON is text. Bytes that are not UTF-8 are written as \udc80 … \udcff, one
// for each byte, which is what Python calls surrogateescape and what the extractor itself sees:
// os.fsencode(json.loads(line)["path"]) has the bytes again. Characters that a terminal would obey
// (controls, DEL, changes of direction) are written as \u escapes, in data too: the same value is
// read back.
#pragma once

#include <string>
#include <string_view>

namespace airlock {

void append_json_path(std::string& out, std::string_view path);
// Whether the text stands in JSON as it is, between quotes.
bool is_plain_json(std::string_view text);

// `data` is a JSON object on one line, checked before.
void append_row(std::string& out, std::string_view path, std::string_view data);
void append_failed_row(std::string& out, std::string_view path, std::string_view type,
                       std::string_view message);

}  // namespace airlock
