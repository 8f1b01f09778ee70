// The contents that a probe says it depends on, as one hash: the probe's part of its cache key.
#pragma once

#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace airlock::probe {

// SHA-256 over the names and contents of all files below `root` that one of the patterns fits.
// Without a pattern: of every file. An Error names the pattern that is none.
Result<std::string> hash_inputs(const Fd& root, const std::vector<std::string>& patterns);

}  // namespace airlock::probe
