// Files that are whole or not there: written under another name beside their place, synced, and
// put in place at once.
#pragma once

#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"

namespace airlock::os {

// `path` as the user named it. What was there before stays when anything fails.
Result<void> replace_file(const std::string& path, std::string_view bytes);

// The file `name` below `folder`; folders on the way are made (0700), links are refused. The file
// is 0600.
Result<void> place_file_beneath(const Fd& folder, const std::string& name, std::string_view bytes);

}  // namespace airlock::os
