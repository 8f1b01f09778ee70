// A name as a reader sees it, however it was written: compatibility forms (full-width, circled,
// mathematical letters), case, accents, invisible characters and look-alikes of other scripts are
// all taken away. For matching, never for showing.
// Used to find names that look like a secret ("pаssword" with a Cyrillic a) in what a guest hands
// out, where whoever chose the name may want it to be missed.
#pragma once

#include <string>
#include <string_view>

namespace airlock {

// NFKC and case folding (Unicode), then without marks, controls and whatever has no glyph; letters
// that only look Latin become Latin. Bytes that are not UTF-8 are dropped. Applying it twice
// changes nothing more.
std::string plain_name(std::string_view name);

}  // namespace airlock
