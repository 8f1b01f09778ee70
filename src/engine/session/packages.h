// The packages of sessions: which are imported before the first one, and where they are found.
// Named by whoever starts a session or a server; a guest has no say in it, and the code of packages
// is as trusted as the interpreter's own.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/policy.h"

namespace airlock {

struct SessionPackages {
  std::vector<std::string> names;  // imported besides those of the policy
  PackageFolder folder;
};

// site-packages of a virtual environment, by the environment's folder. An Error of the request: it
// is none, or not for the Python that airlock-host is made of.
Result<PackageFolder> find_package_folder(const std::string& environment);

// The policy that a session's zygote starts with. An Error of the request: it has no grants for
// what is in the folder.
Result<Policy> session_policy(Policy policy, const SessionPackages& packages);

}  // namespace airlock
