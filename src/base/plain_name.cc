// Folding can make new work for itself: a dropped character lets two others compose. So the text is
// decomposed, never composed, and every character is judged on its own; what is left for names in
// Latin script is the same as after NFKC with the accents taken off.
#include "base/plain_name.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>

#include "base/utf8.h"

namespace airlock {

namespace {

struct LookAlike {
  char32_t from;
  char to;
};

// Letters whose glyph is that of a Latin one in common fonts, after case folding; sorted.
constexpr std::array kLookAlikes = {
    LookAlike{0x0131, 'i'}, LookAlike{0x0138, 'k'}, LookAlike{0x0142, 'l'}, LookAlike{0x0199, 'k'},
    LookAlike{0x01AD, 't'}, LookAlike{0x0237, 'j'}, LookAlike{0x0250, 'a'}, LookAlike{0x0251, 'a'},
    LookAlike{0x0254, 'c'}, LookAlike{0x0262, 'g'}, LookAlike{0x026A, 'i'}, LookAlike{0x0274, 'n'},
    LookAlike{0x0280, 'r'}, LookAlike{0x0288, 't'}, LookAlike{0x028F, 'y'}, LookAlike{0x0299, 'b'},
    LookAlike{0x029C, 'h'}, LookAlike{0x029F, 'l'}, LookAlike{0x03B1, 'a'}, LookAlike{0x03B5, 'e'},
    LookAlike{0x03B9, 'i'}, LookAlike{0x03BA, 'k'}, LookAlike{0x03BD, 'v'}, LookAlike{0x03BF, 'o'},
    LookAlike{0x03C1, 'p'}, LookAlike{0x03C4, 't'}, LookAlike{0x03C5, 'u'}, LookAlike{0x03C7, 'x'},
    LookAlike{0x03F2, 'c'}, LookAlike{0x0430, 'a'}, LookAlike{0x0432, 'b'}, LookAlike{0x0433, 'r'},
    LookAlike{0x0435, 'e'}, LookAlike{0x043A, 'k'}, LookAlike{0x043E, 'o'}, LookAlike{0x0440, 'p'},
    LookAlike{0x0441, 'c'}, LookAlike{0x0442, 't'}, LookAlike{0x0443, 'y'}, LookAlike{0x0445, 'x'},
    LookAlike{0x0455, 's'}, LookAlike{0x0456, 'i'}, LookAlike{0x0458, 'j'}, LookAlike{0x0475, 'v'},
    LookAlike{0x049B, 'k'}, LookAlike{0x04BB, 'h'}, LookAlike{0x0501, 'd'}, LookAlike{0x051B, 'q'},
    LookAlike{0x051D, 'w'}, LookAlike{0x0578, 'n'}, LookAlike{0x057D, 'u'}, LookAlike{0x0585, 'o'},
    LookAlike{0x1D00, 'a'}, LookAlike{0x1D04, 'c'}, LookAlike{0x1D05, 'd'}, LookAlike{0x1D07, 'e'},
    LookAlike{0x1D0A, 'j'}, LookAlike{0x1D0B, 'k'}, LookAlike{0x1D0D, 'm'}, LookAlike{0x1D0F, 'o'},
    LookAlike{0x1D18, 'p'}, LookAlike{0x1D1B, 't'}, LookAlike{0x1D1C, 'u'}, LookAlike{0x1D20, 'v'},
    LookAlike{0x1D21, 'w'}, LookAlike{0x1D22, 'z'}, LookAlike{0x2010, '-'}, LookAlike{0x2011, '-'},
    LookAlike{0x2012, '-'}, LookAlike{0x2013, '-'}, LookAlike{0x2014, '-'}, LookAlike{0x2015, '-'},
    LookAlike{0x2043, '-'}, LookAlike{0x2212, '-'}, LookAlike{0x30FC, '-'}, LookAlike{0xA730, 'f'},
    LookAlike{0xA731, 's'},
};
static_assert(std::ranges::is_sorted(kLookAlikes, {}, &LookAlike::from));

// Letters in boxes and flags, which Unicode gives no compatibility form.
char boxed_letter(char32_t value) {
  for (const char32_t first : {0x1F150U, 0x1F170U, 0x1F1E6U}) {
    if (value >= first && value < first + 26) return static_cast<char>('a' + (value - first));
  }
  return 0;
}

bool is_dropped(char32_t value) {
  const auto code = static_cast<utf8proc_int32_t>(value);
  switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
      return true;
    default:
      return value == 0x2800 || utf8proc_get_property(code)->ignorable;
  }
}

void append_plain(std::string& out, char32_t value) {
  if (value < 0x80) {
    if (value >= 0x20 && value != 0x7F)
      out += static_cast<char>(value >= 'A' && value <= 'Z' ? value + 32 : value);
    return;
  }
  if (is_dropped(value)) return;
  if (const char letter = boxed_letter(value)) {
    out += letter;
    return;
  }
  const auto* row = std::ranges::lower_bound(kLookAlikes, value, {}, &LookAlike::from);
  if (row != kLookAlikes.end() && row->from == value) {
    out += row->to;
  } else {
    append_utf8(out, value);
  }
}

void append_folded(std::string& out, char32_t value) {
  std::array<utf8proc_int32_t, 32> parts{};
  int boundary = 0;
  const auto count = utf8proc_decompose_char(
      static_cast<utf8proc_int32_t>(value), parts.data(), parts.size(),
      static_cast<utf8proc_option_t>(UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_DECOMPOSE),
      &boundary);
  const auto have = std::min<std::size_t>(count < 0 ? 0 : static_cast<std::size_t>(count), 32);
  for (std::size_t i = 0; i < have; ++i) append_plain(out, static_cast<char32_t>(parts[i]));
}

}  // namespace

std::string plain_name(std::string_view name) {
  std::string out;
  out.reserve(name.size());
  for (std::size_t at = 0; at < name.size();) {
    const CodePoint point = decode_utf8(name, at);
    if (point.bytes == 0) {
      ++at;
      continue;
    }
    at += point.bytes;
    if (point.value < 0x80)
      append_plain(out, point.value);
    else
      append_folded(out, point.value);
  }
  return out;
}

}  // namespace airlock
