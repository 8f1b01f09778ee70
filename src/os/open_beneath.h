// Opening a file below a folder by a name that comes from somebody else: no link is followed, on
// no part of the way, and nothing outside of the folder is reached.
// Used for files of a repository or of a probe's output folder, which whoever wrote the code may
// have prepared, and may change while we look.
#pragma once

#include <string>

#include "base/fd.h"

namespace airlock::os {

// For reading, without waiting (a pipe does not block). Closed when there is no such file, when the
// name is absolute or leads upwards, or when a part of it is a link; errno says why.
Fd open_beneath(const Fd& folder, const std::string& name);

// The same, and links are followed as long as they stay below the folder. Only where the kernel can
// hold them to that (openat2); closed elsewhere.
Fd open_beneath_with_links(const Fd& folder, const std::string& name);

}  // namespace airlock::os
