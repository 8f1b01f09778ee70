// First pass: which names are bound where, by what; which attributes are stored; which calls are
// made. The passes after it (the judge, the value questions) look things up here and never walk the
// whole tree for an answer. It judges nothing: it also notes what the judge will refuse.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vet/facts/scopes.h"

namespace airlock::vet {

// A mistake that CPython's compiler finds after its parser, in the compiler's words: 'return'
// outside function.
struct CompileProblem {
  Place place;
  std::string message;
};

struct Bound {
  Scopes scopes;
  std::vector<CompileProblem> problems;
  bool has_sets = false;          // makes sets, or asks for hashes or addresses
  std::optional<Place> too_deep;  // the walk stopped here: nothing else in `scopes` is complete
};

// The tree and the policy must outlive what is returned: bindings point into both.
Bound bind(mod_ty module, const PolicyIndex& policy);

}  // namespace airlock::vet
