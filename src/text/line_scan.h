// Bytes as Markdown and Python see them: only ASCII has meaning, every byte past it counts as part
// of a name.
// Small enough to be constexpr; used by every file of text/.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/ascii.h"

namespace airlock::text {

// Blank within a line: a line feed ends the line and is never part of it.
constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\f' || c == '\v';
}

// How many bytes of spaces and tabs stand in front.
constexpr std::size_t indentation(std::string_view line) {
  std::size_t at = 0;
  while (at < line.size() && is_blank(line[at])) ++at;
  return at;
}

constexpr std::string_view trim_left(std::string_view line) {
  return line.substr(indentation(line));
}

constexpr std::string_view trim_right(std::string_view line) {
  while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
  return line;
}

constexpr std::string_view trim(std::string_view line) {
  return trim_right(trim_left(line));
}

// The end of the name that starts at `at`; `at` itself when there is none.
constexpr std::size_t skip_name(std::string_view text, std::size_t at) {
  if (at >= text.size() || !is_name_start(text[at])) return at;
  while (at < text.size() && is_name_byte(text[at])) ++at;
  return at;
}

// `word` in front, with nothing of a name behind it.
constexpr bool starts_with_word(std::string_view text, std::string_view word) {
  return text.starts_with(word) && (text.size() == word.size() || !is_name_byte(text[word.size()]));
}

constexpr bool starts_ignoring_case(std::string_view text, std::string_view lower_prefix) {
  if (text.size() < lower_prefix.size()) return false;
  for (std::size_t i = 0; i < lower_prefix.size(); ++i) {
    if (lower(text[i]) != lower_prefix[i]) return false;
  }
  return true;
}

}  // namespace airlock::text
