// For commands that judge without a chamber: a policy that names what cannot be loaded is a mistake
// there too, with the words that a chamber has for it.
#pragma once

#include <string>

#include "base/result.h"
#include "model/policy.h"

namespace airlock {

// Starts a zygote of the policy when only loading can tell: of packages, and of modules that need
// the host's libraries. An Error of the request: one cannot be loaded, and why. A host without the
// isolation that cells need says nothing here: nothing is going to be run.
// `host_program` is airlock-host. The calling thread must live as long as the call.
Result<void> require_loadable(const Policy& policy, const std::string& host_program);

}  // namespace airlock
