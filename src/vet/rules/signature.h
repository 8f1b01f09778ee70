// Third stage: is there a function extract(path) that can be called with one path and returns a
// dict?
#pragma once

#include <vector>

#include "vet/facts/scopes.h"

namespace airlock::vet {

void judge_signature(mod_ty module, const Scopes& scopes, std::vector<Finding>& findings);

}  // namespace airlock::vet
