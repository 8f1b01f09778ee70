// Files of the user's that a session may read, as they were named.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "model/piece.h"

namespace airlock {

// Looks the file up, links and all, and remembers which one it is. An Error: there is no regular
// file that we can read, or the name is none.
Result<SessionFile> find_session_file(const std::string& name, const std::string& path);

// The same for one who may name only what is below these folders, wherever links lead. A path that
// is not absolute begins in one of them, the first that has it. What is elsewhere, and what is
// nowhere, are told apart by nothing that is said.
Result<SessionFile> find_session_file_below(std::span<const std::string> roots,
                                            const std::string& name, const std::string& path);

// A folder that files may be named below, as find_session_file_below() takes it: without links.
Result<std::string> find_file_root(const std::string& path);

}  // namespace airlock
