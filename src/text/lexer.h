// Just enough of Python's tokens to know what is code, what is a string and what is a comment.
// No parser: it never fails, and gives an answer for broken code too, which is what it is for. Only
// valid for the syntax of CPython 3.11 (see lexer.cc about f-strings).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace airlock::text {

enum class SpanKind : std::uint8_t { kCode, kString, kComment };

struct LexSpan {
  SpanKind kind = SpanKind::kCode;
  std::size_t end = 0;  // exclusive
};

// The span that starts at `at`, which must be 0 or the end of another span. Never empty unless `at`
// is the end of `code`. A string's prefix letters belong to the code before it; a string includes
// its quotes.
LexSpan next_span(std::string_view code, std::size_t at);

}  // namespace airlock::text
