// The sample paths of a validation, from disk. They are few and kept whole; for lists of any length
// there is engine/paths/path_input.h.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace airlock {

// One path a line, empty lines left out; "-" is standard input. An Error for a file without any.
Result<std::vector<std::string>> read_samples(const std::string& file);

}  // namespace airlock
