// How a name looks to a person, after Unicode's security mechanisms (UTS #39): which script a
// letter belongs to, and which names look the same. Facts of Unicode 14, CPython 3.11's own
// version, for letters that a Python name may hold in its normal form (NFKC).
//
// plain_name (base/plain_name.h) asks another question: it folds case and accents to match names
// that mean the same; here only what looks the same is the same.
//
// Used by the vetter's rules about names: a name that mixes scripts, or two names that look alike,
// make a reader see other code than the one that runs. All functions are pure.
#pragma once

#include <string>
#include <string_view>

namespace airlock {

// "Latin", "Cyrillic"; empty for what every script uses (digits, the low line, accents) and for
// what is no letter.
std::string_view script_of(char32_t value);

// "U+0430"
std::string code_point_name(char32_t value);

// Two names with the same skeleton look alike. For comparing, never for showing.
std::string skeleton(std::string_view name);

}  // namespace airlock
