// Mending without asking: a name that is used and not imported, when the policy has exactly one
// place for it. Models forget imports more often than anything else, and each such slip would cost
// a retry. The repaired text is judged like any other (judge_attempt.cc), so a wrong guess does no
// harm. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/policy.h"
#include "model/verdict.h"

namespace airlock::wizard {

struct ImportRepair {
  std::string code;
  std::vector<std::string> done;  // "added 'import re'"
};

// Nothing: there is something wrong that this cannot mend, so a part of it is not mended either.
std::optional<ImportRepair> repair_imports(const Verdict& verdict, const Policy& policy);

}  // namespace airlock::wizard
