// The text of a program as it stands on disk, for every command that takes one.
#pragma once

#include <string>

#include "base/result.h"
#include "model/policy.h"

namespace airlock {

// As bytes; "-" is standard input. One that is too long is cut: the vetter says so.
Result<std::string> read_source_file(const std::string& file, const Policy& policy);

}  // namespace airlock
