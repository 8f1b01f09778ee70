// How text for people looks: a handful of meanings, each with its colour, and wrapping. A report
// names what a piece of text is (an error, a place), never a colour. Colour::kNever gives the text
// alone, so what is tested is what is piped.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "model/finding.h"

namespace airlock::cli {

enum class Colour { kNever, kAlways };
enum class Style { kPlace, kHeading, kError, kWarning, kNote, kGutter, kLabel, kGood, kFaint };

// `text` must be safe to show (base/printable.h): paint adds to it and changes nothing.
std::string paint(std::string_view text, Style style, Colour colour);

Style style_of(Severity severity);

// Words of `text` in lines of at most `width` characters; the first line gets no indent, the others
// `indent` spaces. A word longer than the line stands on its own. No line end at the end.
std::string wrap(std::string_view text, std::size_t width, std::size_t indent);

// "1 error", "2 errors".
std::string counted(std::size_t count, std::string_view noun);

}  // namespace airlock::cli
