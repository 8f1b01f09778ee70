// What a cell calls JSON is JSON: one object, well formed, on one line, not deeper than we ask for.
// Only then is it repeated to anyone. One pass, no memory, no recursion. Pure.
#pragma once

#include <string_view>

namespace airlock {

// Numbers of any size are numbers; a key may come twice; half a surrogate pair is refused, and so
// is a line end, which would make two lines of one.
bool is_json_object(std::string_view text);

}  // namespace airlock
