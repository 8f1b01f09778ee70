// Which commit is checked out, read from .git without running git: git reads configuration of the
// repository, which can name programs to run.
#pragma once

#include <optional>
#include <string>

#include "base/fd.h"

namespace airlock::probe {

// 40 or 64 hexadecimal digits; nothing when this is no repository or it has no commit yet.
std::optional<std::string> git_commit(const Fd& root);

}  // namespace airlock::probe
