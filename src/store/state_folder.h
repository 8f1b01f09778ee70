// Where airlock keeps its state: $AIRLOCK_HOME, else $XDG_DATA_HOME/airlock, else
// ~/.local/share/airlock.
// The database, the cache and the settings lie in it.
#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "model/user_dirs.h"

namespace airlock::store {

// Only the name, absolute; nothing is made or opened. An XDG_DATA_HOME that is not absolute is
// ignored, as its specification asks.
Result<std::string> state_folder(const UserDirs& user_dirs);

// That folder, made when it is missing. Refused: one that is not ours alone (os/private_folder.h).
Result<Fd> open_state_folder(const std::string& folder);

}  // namespace airlock::store
