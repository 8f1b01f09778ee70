// A segment cut into tokens at delimiters, where a date, a UUID, a version or a region stays one
// token although it holds delimiters itself. token_layout.cc lays tokens of many values over each
// other.
//
// Everything here borrows from the text that was cut.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace airlock::rules {

// texts[0] delimiters[0] texts[1] … spells the text again. Texts may be empty.
struct Tokens {
  std::vector<std::string_view> texts;       // always one more than delimiters
  std::vector<std::string_view> delimiters;  // one or more characters
};

// Whatever people put between the words of a name.
inline constexpr std::string_view kAllDelimiters = "_-. +@,~#()[]{}=:;&!";

Tokens tokenize(std::string_view text, std::string_view delimiters);

// Special separators, for texts whose parts contain ordinary delimiters.
enum class Cut : std::uint8_t {
  kSpacedDash,  // Artist - Title
  kBrackets,    // Title (1999) [1080p]
  kDoubled,     // stg_orders__lines
  kPadded,      // S1A_IW_SLC__1SDV: of several underscores the last one parts
};
Tokens tokenize(std::string_view text, Cut cut);

// The delimiters in order. Texts with the same signature can be compared token by token.
std::string signature(const Tokens& tokens);

// report.tar.gz → ".tar.gz"; a name without one → "". What looks like a version's last part is
// none.
std::string_view extension_of(std::string_view filename);

}  // namespace airlock::rules
