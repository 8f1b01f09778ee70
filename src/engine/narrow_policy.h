// A chamber for one piece of code needs only the modules that the code can name. Importing the
// others is most of a cold start.
#pragma once

#include <string_view>

#include "model/policy.h"

namespace airlock {

// The policy without the modules whose names do not occur in the text. An import has to spell the
// name out, so nothing is missed; a text that could spell it otherwise (escapes, letters that
// Python folds) keeps them all. Only for running what was vetted against the whole policy. Pure.
Policy narrow_to(std::string_view raw, Policy policy);

}  // namespace airlock
