// Files of the user's that a session may read, as they were named.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/piece.h"

namespace airlock {

// Looks the file up, links and all, and remembers which one it is. An Error: there is no regular
// file that we can read, or the name is none.
Result<SessionFile> find_session_file(const std::string& name, const std::string& path);

}  // namespace airlock
