// Classes that the policy guards, such as pathlib.Path, keep what it allows; what else they offer
// says that there are no files here, and what to use instead.
#pragma once

#include "base/result.h"
#include "model/policy.h"

namespace airlock::python {

// For this whole process. After the modules are loaded.
Result<void> refuse_files(const Policy& policy);

}  // namespace airlock::python
