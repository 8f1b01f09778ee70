// The text itself: characters that make code look different from what it is. They are refused
// wherever they stand, in strings and comments too, because it is people and models who are
// deceived by them, not the parser.
#include <string>

#include "base/ascii.h"
#include "base/lookalikes.h"
#include "base/utf8.h"
#include "vet/rules/judge.h"

namespace airlock::vet {

namespace {

struct Hidden {
  char32_t first;
  char32_t last;
  const char* what;
};

// Default ignorable characters and controls by code point. Characters that only look odd (spaces of
// other widths, soft hyphens) are left to the parser, which refuses them outside of strings.
constexpr Hidden kHidden[] = {
    {0x061C, 0x061C, "a mark that changes the direction of the text"},
    {0x200E, 0x200F, "a mark that changes the direction of the text"},
    {0x202A, 0x202E, "a control that changes the direction of the text"},
    {0x2066, 0x2069, "a control that changes the direction of the text"},
    {0xE0000, 0xE007F, "an invisible tag character that can carry hidden text"},
    {0xE0100, 0xE01EF, "an invisible variation selector that can carry hidden text"},
    {0xFFF9, 0xFFFB, "an invisible annotation control"},
    {0x0000, 0x0008, "a control character that a terminal obeys"},
    {0x000E, 0x001F, "a control character that a terminal obeys"},
    {0x007F, 0x009F, "a control character that a terminal obeys"},
    {0x034F, 0x034F, "an invisible character"},
    {0x115F, 0x1160, "an invisible letter"},
    {0x17B4, 0x17B5, "an invisible vowel"},
    {0x180B, 0x180E, "an invisible character"},
    {0x2060, 0x2064, "an invisible character"},
    {0x206A, 0x206F, "an invisible formatting control"},
    {0x3164, 0x3164, "an invisible letter"},
    {0xFFA0, 0xFFA0, "an invisible letter"},
};

const Hidden* find_hidden(char32_t value) {
  for (const Hidden& row : kHidden) {
    if (value >= row.first && value <= row.last) return &row;
  }
  return nullptr;
}

}  // namespace

// One finding a line and kind is enough: a run of tag characters is one trick.
bool judge_characters(std::string_view code, std::vector<Finding>& findings) {
  std::uint32_t line = 1;
  std::size_t line_start = 0;
  std::uint32_t reported_line = 0;
  bool in_flag = false;
  bool is_wide = false;
  for (std::size_t at = 0; at < code.size();) {
    const auto byte = static_cast<unsigned char>(code[at]);
    // Printable ASCII and the five controls that stand in honest text: nearly all bytes end here.
    if (byte >= 0x20
            ? byte < 0x7F
            : byte == '\n' || byte == '\t' || byte == '\r' || byte == '\f' || byte == '\v') {
      ++at;
      if (byte == '\n') {
        ++line;
        line_start = at;
      }
      continue;
    }
    is_wide = true;
    const CodePoint point = decode_utf8(code, at);
    const Hidden* hidden = find_hidden(point.value);
    // A variation selector belongs to the emoji before it; behind a letter it only makes two names
    // look the same.
    const bool is_selector = point.value >= 0xFE00 && point.value <= 0xFE0F;
    const char before = at > 0 ? code[at - 1] : ' ';
    const bool is_behind_letter =
        is_letter(before) || before == '_' || (is_digit(before) && point.value != 0xFE0F);
    // U+FE0F behind a digit makes an emoji of it (keycaps), so it is let through there.
    static constexpr Hidden kSelector = {0xFE00, 0xFE0F,
                                         "an invisible variation selector behind a letter"};
    if (is_selector && is_behind_letter) hidden = &kSelector;
    // A flag is a black flag and tag characters that spell its region: seen, not hidden.
    const bool is_tag = point.value >= 0xE0020 && point.value <= 0xE007F;
    if (is_tag && in_flag) hidden = nullptr;
    // U+1F3F4 begins such a flag, U+E007F (cancel tag) ends it.
    in_flag = point.value == 0x1F3F4 || (is_tag && in_flag && point.value != 0xE007F);
    if (hidden != nullptr && reported_line != line) {
      reported_line = line;
      const auto column = static_cast<std::uint32_t>(at - line_start);
      const Rule& row = rule(RuleCode::kHiddenCharacter);
      const std::string name = code_point_name(point.value);
      findings.push_back({&row,
                          row.severity,
                          {line, column, line, column + static_cast<std::uint32_t>(point.bytes)},
                          name,
                          "The source contains " + name + ", " + hidden->what,
                          "Remove it, or write it as an escape in a string."});
    }
    at += point.bytes == 0 ? 1 : point.bytes;
  }
  return is_wide;
}

}  // namespace airlock::vet
