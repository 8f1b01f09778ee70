// Folding can make new work for itself: a dropped character lets two others compose. So the text is
// decomposed, never composed, and every character is judged on its own; what is left for names in
// Latin script is the same as after NFKC with the accents taken off.
#include "base/plain_name.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/printable.h"
#include "base/utf8.h"

namespace airlock {

namespace {

struct LatinTwin {
  char32_t from;
  char to;
};

// Letters whose glyph is that of a Latin one in common fonts, after case folding; sorted.
constexpr std::array kLatinTwins = {
    LatinTwin{0x0131, 'i'}, LatinTwin{0x0138, 'k'}, LatinTwin{0x0142, 'l'}, LatinTwin{0x0199, 'k'},
    LatinTwin{0x01AD, 't'}, LatinTwin{0x0237, 'j'}, LatinTwin{0x0250, 'a'}, LatinTwin{0x0251, 'a'},
    LatinTwin{0x0254, 'c'}, LatinTwin{0x0262, 'g'}, LatinTwin{0x026A, 'i'}, LatinTwin{0x0274, 'n'},
    LatinTwin{0x0280, 'r'}, LatinTwin{0x0288, 't'}, LatinTwin{0x028F, 'y'}, LatinTwin{0x0299, 'b'},
    LatinTwin{0x029C, 'h'}, LatinTwin{0x029F, 'l'}, LatinTwin{0x03B1, 'a'}, LatinTwin{0x03B5, 'e'},
    LatinTwin{0x03B9, 'i'}, LatinTwin{0x03BA, 'k'}, LatinTwin{0x03BD, 'v'}, LatinTwin{0x03BF, 'o'},
    LatinTwin{0x03C1, 'p'}, LatinTwin{0x03C4, 't'}, LatinTwin{0x03C5, 'u'}, LatinTwin{0x03C7, 'x'},
    LatinTwin{0x03F2, 'c'}, LatinTwin{0x0430, 'a'}, LatinTwin{0x0432, 'b'}, LatinTwin{0x0433, 'r'},
    LatinTwin{0x0435, 'e'}, LatinTwin{0x043A, 'k'}, LatinTwin{0x043E, 'o'}, LatinTwin{0x0440, 'p'},
    LatinTwin{0x0441, 'c'}, LatinTwin{0x0442, 't'}, LatinTwin{0x0443, 'y'}, LatinTwin{0x0445, 'x'},
    LatinTwin{0x0455, 's'}, LatinTwin{0x0456, 'i'}, LatinTwin{0x0458, 'j'}, LatinTwin{0x0475, 'v'},
    LatinTwin{0x049B, 'k'}, LatinTwin{0x04BB, 'h'}, LatinTwin{0x0501, 'd'}, LatinTwin{0x051B, 'q'},
    LatinTwin{0x051D, 'w'}, LatinTwin{0x0578, 'n'}, LatinTwin{0x057D, 'u'}, LatinTwin{0x0585, 'o'},
    LatinTwin{0x1D00, 'a'}, LatinTwin{0x1D04, 'c'}, LatinTwin{0x1D05, 'd'}, LatinTwin{0x1D07, 'e'},
    LatinTwin{0x1D0A, 'j'}, LatinTwin{0x1D0B, 'k'}, LatinTwin{0x1D0D, 'm'}, LatinTwin{0x1D0F, 'o'},
    LatinTwin{0x1D18, 'p'}, LatinTwin{0x1D1B, 't'}, LatinTwin{0x1D1C, 'u'}, LatinTwin{0x1D20, 'v'},
    LatinTwin{0x1D21, 'w'}, LatinTwin{0x1D22, 'z'}, LatinTwin{0x2010, '-'}, LatinTwin{0x2011, '-'},
    LatinTwin{0x2012, '-'}, LatinTwin{0x2013, '-'}, LatinTwin{0x2014, '-'}, LatinTwin{0x2015, '-'},
    LatinTwin{0x2043, '-'}, LatinTwin{0x2212, '-'}, LatinTwin{0x30FC, '-'}, LatinTwin{0xA730, 'f'},
    LatinTwin{0xA731, 's'},
};
static_assert(std::ranges::is_sorted(kLatinTwins, {}, &LatinTwin::from));

// Letters in boxes and flags, which Unicode gives no compatibility form.
// Negative circled, negative squared and regional indicator letters: A to Z in a row each.
char boxed_letter(char32_t value) {
  for (const char32_t first : {0x1F150U, 0x1F170U, 0x1F1E6U}) {
    if (value >= first && value < first + 26) return static_cast<char>('a' + (value - first));
  }
  return 0;
}

// What does not show itself, except spaces; and marks on letters.
bool is_dropped(char32_t value) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(value))) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
      return true;
    case UTF8PROC_CATEGORY_ZS:
      return false;
    default:
      return !shows_itself(value);
  }
}

// Compatibility forms and case are folded by the caller; here marks go and look-alikes are
// replaced.
void append_plain(std::string& out, char32_t value) {
  if (value < 0x80) {
    if (value >= 0x20 && value != 0x7F) out += lower(static_cast<char>(value));
    return;
  }
  if (is_dropped(value)) return;
  if (const char letter = boxed_letter(value)) {
    out += letter;
    return;
  }
  const auto* row = std::ranges::lower_bound(kLatinTwins, value, {}, &LatinTwin::from);
  if (row != kLatinTwins.end() && row->from == value) {
    out += row->to;
  } else {
    append_utf8(out, value);
  }
}

void append_folded(std::string& out, char32_t value) {
  // The longest decomposition of one character has 18 parts (U+FDFA).
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
