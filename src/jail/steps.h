// Steps that the jails of vetter and cell share. Each raises one wall for the calling process, for
// its whole life and that of its children, or returns an Error that names the system call that
// failed.
#pragma once

#include <sys/resource.h>

#include "base/result.h"

namespace airlock::jail {

Result<void> forbid_new_privileges();
Result<void> die_with_parent();
Result<void> forbid_dumps();
Result<void> drop_all_capabilities();
// All but CAP_SYS_ADMIN, for a zygote whose cells mount their own folders; none can come back by
// any program that is started. Then, in each cell: that one too.
Result<void> keep_power_to_mount();
Result<void> give_up_power_to_mount();
Result<void> limit(__rlimit_resource what, rlim_t value, const char* doing);
// The same where the host may have set a lower limit already, which then stays.
Result<void> limit_at_most(__rlimit_resource what, rlim_t value, const char* doing);

// What this process already has mapped, in bytes: RLIMIT_DATA and RLIMIT_AS count it too. 0 when it
// cannot be known.
struct Mapped {
  rlim_t data = 0;
  rlim_t all = 0;
};
Mapped mapped_now();

}  // namespace airlock::jail
