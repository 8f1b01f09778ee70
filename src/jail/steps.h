// Steps that several jails share. Each raises one wall for this process, for good, or says why it
// cannot.
#pragma once

#include <sys/resource.h>

#include "base/result.h"

namespace airlock::jail {

Result<void> forbid_new_privileges();
Result<void> die_with_parent();
Result<void> forbid_dumps();
Result<void> drop_all_capabilities();
Result<void> limit(__rlimit_resource what, rlim_t value, const char* doing);

// The data this process already has mapped, in bytes: RLIMIT_DATA counts it too. 0 when it cannot
// be known.
rlim_t data_in_use();

}  // namespace airlock::jail
