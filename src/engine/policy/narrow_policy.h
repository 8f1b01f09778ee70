// A chamber for one piece of code needs only the modules that the code can name. Importing the
// others is most of a cold start.
#pragma once

#include <string_view>

#include "model/policy.h"

namespace airlock {

// The policy without the modules that no import statement in the text names, and without the lazy
// parts that nothing in it leads to. A module of which only loading tells whether it is there
// stays. Exact for code as it was vetted (a text with letters that Python folds keeps them all);
// for a raw answer a good guess, because cleaning may bring names to light. Only for running what
// was vetted against the whole policy. Pure.
Policy narrow_to(std::string_view text, Policy policy);

// Does a chamber made with `warm` have all that one made with `wanted` has? Pure.
bool is_warm_enough(const Policy& warm, const Policy& wanted);

}  // namespace airlock
