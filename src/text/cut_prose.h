// Code with text above or below it and no fence between them.
#pragma once

#include <vector>

#include "text/page.h"

namespace airlock::text {

// The page without the prose around its code: first without the prose at both ends, then also cut
// off at the first prose below the definition of extract. Empty when there is no prose to cut, or
// no code.
std::vector<PageReading> cut_prose(const PageReading& reading);

}  // namespace airlock::text
