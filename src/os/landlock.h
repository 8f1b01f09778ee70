// Landlock through the kernel's own calls (the C library has no wrappers).
#pragma once

#include <span>
#include <string>

#include "base/result.h"

namespace airlock::os {

// 0 when this kernel has no Landlock or it is switched off.
int landlock_version();

// Denies this process, for good, every kind of access to the file system that this kernel can deny,
// but for reading below the folders in `readable`; from version 4 on also binding and connecting
// TCP sockets, from version 6 on signals to others and their abstract sockets. Needs
// no-new-privileges first.
Result<void> landlock_deny_all_but(std::span<const std::string> readable);

}  // namespace airlock::os
