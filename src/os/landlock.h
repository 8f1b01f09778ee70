// Landlock, the kernel's way for a process without privileges to give up access to files, through
// the kernel's own calls (the C library has no wrappers). The jail applies it beside an emptied
// root: two walls against the same thing, so that a hole in one of them is not enough. What is
// given up cannot be had again, by this process or its children.
#pragma once

#include <span>

#include "base/result.h"
#include "os/folder.h"

namespace airlock::os {

// 0 when this kernel has no Landlock or it is switched off.
int landlock_version();

// Denies this process, for good, every kind of access to the file system that this kernel can deny,
// but for reading below the places of `folders` (in what is now the root), and writing below the
// writable ones; from version 4 on also binding and connecting TCP sockets, from version 6 on
// signals to others and their abstract sockets. Needs no-new-privileges first.
Result<void> landlock_deny_all_but(std::span<const MountedFolder> folders);

}  // namespace airlock::os
