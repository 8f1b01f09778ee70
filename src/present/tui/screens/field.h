// Where something is typed: the text of a LineEditor in rows, with the cursor always in sight. Used
// by the screens of the hint and of the name.
#pragma once

#include <string_view>

#include "present/tui/screens/screens.h"

namespace airlock::tui {

void draw_field(const Drawing& drawing, const Area& area, std::string_view title);

// The samples, to be looked at while something is typed.
void draw_samples(const Drawing& drawing, const Area& area);

}  // namespace airlock::tui
