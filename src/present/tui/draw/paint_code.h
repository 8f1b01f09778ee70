// Colours for code that is shown: keywords, strings, comments, numbers, names that are defined. For
// the eye only: it takes any text, understands little, and nothing is decided by it.
#pragma once

#include <string_view>
#include <vector>

#include "model/draft.h"
#include "present/tui/draw/canvas.h"

namespace airlock::tui {

// One Line a line of the text; together their spans hold every character of it, tabs as spaces.
std::vector<Line> paint_code(std::string_view text, OutputKind kind);

}  // namespace airlock::tui
