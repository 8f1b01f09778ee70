// Landlock through the kernel's own calls (the C library has no wrappers).
#pragma once

#include "base/result.h"

namespace airlock::os {

// 0 when this kernel has no Landlock or it is switched off.
int landlock_version();

// Denies this process, for good, every kind of access to the file system that this kernel can deny,
// and (from version 4 on) binding and connecting TCP sockets. Needs no-new-privileges first.
Result<void> landlock_deny_all();

}  // namespace airlock::os
