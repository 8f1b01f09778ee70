// Foreign text made safe to show. Names, messages and source lines come from models and from
// strangers' disks; a terminal obeys what they contain (escape sequences), hides it (zero-width and
// tag characters) or turns it round (bidirectional controls). Here every character is shown as
// itself only when it has a glyph of its own and a known width; all others are spelt out: \n, \x1b,
// \xff (a byte that is not UTF-8), <U+202E>. A backslash stays a backslash: this is for reading,
// not for parsing back.
// Everything that airlock prints about foreign text passes through here; base/json_writer.h asks
// shows_itself() for the same reason.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace airlock {

// One character of a text, as it is shown.
struct Glyph {
  std::string text;  // valid UTF-8 without anything a terminal would obey
  // How many bytes of the original it stands for; 0 only at the end of the text.
  std::size_t bytes = 0;
  std::size_t columns = 0;  // of a terminal: 0 for combining marks, 2 for wide characters
};

// Whether a character has a glyph of its own: no control, nothing invisible, no odd space.
bool shows_itself(char32_t value);

Glyph glyph_at(std::string_view text, std::size_t at);

// The whole text on one line.
std::string printable(std::string_view text);

// The same with its lines as lines.
std::string printable_lines(std::string_view text);

// The same with tabs as tabs, for what a program prints; a line may end in \r\n.
std::string printable_output(std::string_view text);

// How many columns of a terminal the text takes when it is shown as printable() shows it.
std::size_t columns_of(std::string_view text);

// printable(text) with spaces behind it, up to `columns`.
std::string padded(std::string_view text, std::size_t columns);

}  // namespace airlock
