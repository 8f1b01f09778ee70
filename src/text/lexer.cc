// Outside strings and comments Python's lexer has no memory that matters here, so a span
// can be found from its start alone: a quote begins a string, '#' a comment, all else is code up to
// the next of these.
//
// In CPython 3.11 an f-string is an ordinary string token, and in raw strings a backslash still
// keeps the next quote from ending the token: one rule serves every prefix. A single-quoted string
// that is not closed ends before its line end (CPython refuses it there); a triple-quoted one runs
// to the end of the text.
#include "text/lexer.h"

#include <algorithm>

namespace airlock::text {

namespace {

std::size_t end_of_triple(std::string_view code, std::size_t at, char quote) {
  while (at < code.size()) {
    if (code[at] == '\\') {
      // A backslash hides the next byte, whatever it is. At the end of the text this goes one
      // too far, and the loop ends.
      at += 2;
    } else if (code[at] == quote && at + 2 < code.size() && code[at + 1] == quote &&
               code[at + 2] == quote) {
      return at + 3;
    } else {
      ++at;
    }
  }
  return code.size();
}

std::size_t end_of_single(std::string_view code, std::size_t at, char quote) {
  while (at < code.size()) {
    if (code[at] == '\\') {
      at += 2;
    } else if (code[at] == '\n') {
      return at;
    } else if (code[at] == quote) {
      return at + 1;
    } else {
      ++at;
    }
  }
  return code.size();
}

std::size_t end_of_string(std::string_view code, std::size_t at) {
  const char quote = code[at];
  if (at + 2 < code.size() && code[at + 1] == quote && code[at + 2] == quote) {
    return end_of_triple(code, at + 3, quote);
  }
  return end_of_single(code, at + 1, quote);
}

}  // namespace

LexSpan next_span(std::string_view code, std::size_t at) {
  if (at >= code.size()) return {SpanKind::kCode, code.size()};
  if (code[at] == '"' || code[at] == '\'') return {SpanKind::kString, end_of_string(code, at)};
  if (code[at] == '#') return {SpanKind::kComment, std::min(code.find('\n', at), code.size())};
  return {SpanKind::kCode, std::min(code.find_first_of("\"'#", at), code.size())};
}

}  // namespace airlock::text
