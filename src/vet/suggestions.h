// What to do about a syntax error: the parser's own message → words that a model or a person can
// act on.
// The words go to models in a retry and to people in a report, so they name the line and the fix.
#pragma once

#include <string>
#include <string_view>

#include "python/tree.h"

namespace airlock::vet {

// Never empty.
std::string suggest(const python::SyntaxProblem& problem, std::string_view code);

}  // namespace airlock::vet
