// Names that deceive the eye: letters of several scripts in one name, or a name that looks like
// another one. For the reviewer, pаth and path are the same; for Python they are not.
#pragma once

#include <vector>

#include "model/finding.h"
#include "python/tree.h"
#include "vet/facts/policy_index.h"

namespace airlock::vet {

// One finding (AL218) for each such name, where it first stands. Names are those of the tree, so in
// Python's normal form: full-width and mathematical letters are plain letters here. Only worth
// calling for text that is not all ASCII: names of ASCII alone are never refused.
void judge_lookalikes(mod_ty module, const PolicyIndex& policy, std::vector<Finding>& findings);

}  // namespace airlock::vet
