// A repository holds files. Where the kernel's own file systems are mounted in it (proc, sys), a
// probe would see the host's processes, and reading a file could do something.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace airlock::probe {

// An Error names such a mount that lies below `root` or that `root` lies in. It is absolute and
// real.
Result<void> refuse_kernel_mounts(std::string_view root);

// The same with the text of /proc/self/mountinfo given. Pure.
Result<void> refuse_kernel_mounts(std::string_view root, std::string_view mount_table);

}  // namespace airlock::probe
