// The packages that somebody named for a chamber, in a policy or on the command line: those modules
// of Policy::preloaded that are not our own.
#pragma once

#include <string>
#include <vector>

#include "model/policy.h"

namespace airlock {

inline std::vector<std::string> named_packages(const Policy& policy) {
  std::vector<std::string> packages = policy.preloaded;
  std::erase_if(packages, [](const std::string& name) {
    return name == kSessionRuntime || name == kNodeRuntime;
  });
  return packages;
}

}  // namespace airlock
