// Small files of this user's own in the state folder, for other programs of the same user to read.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/user_dirs.h"

namespace airlock {

// airlock.NAME in the state folder, 0600, whole or not there; what was there is replaced. Its whole
// path.
Result<std::string> place_state_file(const UserDirs& user_dirs, std::string_view name,
                                     std::string_view bytes);

}  // namespace airlock
