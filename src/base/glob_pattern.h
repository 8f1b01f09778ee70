// A glob's text as a tree: atoms, and braces with their alternatives. What stands in brackets is a
// set, whatever characters are in it: a brace, a comma or a slash in there is one of the set.
// The first half of compiling a glob (base/glob.h is the second). Everything here is bounded:
// length, depth of braces, number of forms; so what follows may recurse and multiply.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace airlock {

// The limits of docs/decisions/0023. Bytes, and forms after all braces are written out.
inline constexpr std::size_t kMostGlobForms = 256;
inline constexpr std::size_t kLongestGlob = 4096;

enum class Braces { kAlternatives, kPlain };  // kPlain: they mean nothing, as in git

struct GlobNode {
  enum class Kind : std::uint8_t { kByte, kAny, kSet, kStar, kGroup };
  // kAny is "?"; kSet is brackets; kStar is one star, two in a row are two nodes.
  Kind kind = Kind::kByte;
  char byte = 0;                                  // of a kByte
  std::bitset<256> set = {};                      // of a kSet; never a slash
  std::string_view text = {};                     // as it was written
  std::vector<std::vector<GlobNode>> forms = {};  // of a kGroup
};
using GlobNodes = std::vector<GlobNode>;

// An Error says what is wrong with the pattern: empty, too long, a brace, bracket or backslash that
// is not finished, more than 256 forms. The nodes look at `pattern`, which must outlive them.
Result<GlobNodes> read_glob(std::string_view pattern, Braces braces);

// How many patterns without braces it stands for; one more than the most when there are more.
std::size_t count_forms(const GlobNodes& nodes);

}  // namespace airlock
