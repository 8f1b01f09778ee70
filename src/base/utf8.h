// UTF-8 as hostile input: find the first bad byte, step through code points, count them. All other
// code in the project decodes with these functions, so that everybody agrees on what is valid: two
// decoders that differ are how a check is passed with one meaning and used with another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace airlock {

struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 0;  // 0: the bytes here are not UTF-8
};

// The code point that starts at `at`. Overlong forms, surrogates and values past U+10FFFF are not
// UTF-8.
CodePoint decode_utf8(std::string_view text, std::size_t at);

// Offset of the first byte that is not UTF-8, or nothing when all of it is.
std::optional<std::size_t> find_invalid_utf8(std::string_view text);

// With U+FFFD in the place of every byte that is not part of a character.
std::string replace_invalid_utf8(std::string text);

// `value` is at most U+10FFFF; a surrogate is written as three bytes, which is not UTF-8.
void append_utf8(std::string& out, char32_t value);

// At most so many bytes of it, cut between code points.
std::string_view cut_utf8(std::string_view text, std::size_t bytes);

// Code points, not bytes.
std::size_t count_code_points(std::string_view text);

}  // namespace airlock
