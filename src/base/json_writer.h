// JSON as text, on one line: the only place where a string gets its escapes.
//
// A string is bytes (a path, a message, a value of a stranger), and JSON is text. Bytes that are
// not UTF-8 are written as \udc80 … \udcff, one for each byte, which is what Python calls
// surrogateescape: os.fsencode(json.loads(line)) has the bytes again. JSON itself demands escapes
// below U+0020 only; a terminal or a page would act on more (DEL, the C1 controls, changes of
// direction) and hide more (U+FEFF), so whatever does not show itself (base/printable.h) is written
// as \u escapes. The same value is read back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace airlock {

// With its quotes.
void append_json_string(std::string& out, std::string_view text);
std::string json_string(std::string_view text);

// The same for JSON that goes to a program and not to a screen: controls and DEL have escapes, all
// other characters stand as they are. `text` is UTF-8.
void append_raw_json_string(std::string& out, std::string_view text);

// What does not show itself becomes escapes in text that is JSON already (a result, whose numbers
// must keep their digits). Outside of strings JSON is plain ASCII, so the finished text can be gone
// through. Line ends stay: they stand between values only.
void append_shown_json(std::string& out, std::string_view json);
std::string shown_json(std::string json);

void append_json_integer(std::string& out, std::int64_t value);
void append_json_natural(std::string& out, std::uint64_t value);
// The shortest digits that read back as the same double, in Python's form, and never as an integer.
// `value` is finite.
void append_json_number(std::string& out, double value);

// A value of a JSON library on one line. Text that is not UTF-8 gets U+FFFD for what cannot be
// written; never throws.
template <typename Json>
std::string compact_json(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace airlock
