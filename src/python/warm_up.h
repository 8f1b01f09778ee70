// What the zygote does with the interpreter before the walls go up, so that a cell finds everything
// in memory: modules loaded, caches filled.
// It runs our own code and the standard library's, never a guest's, before the walls go up.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/policy.h"

namespace airlock::python {

// Loads what the policy's modules would load later on their own, and uses each once. With every
// module allowed: the installed packages can be found, and the standard library's native modules
// are loaded, because the system libraries behind them will be out of sight.
// `place`: where packages that are imported may write; without one, nowhere.
Result<void> warm_up(const Policy& policy, const std::string& place);

// The folders that modules are found in, none inside another.
std::vector<std::string> module_folders();

}  // namespace airlock::python
