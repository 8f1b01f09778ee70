// What `validate` reads from disk: the source, and the sample paths. Samples are few and kept
// whole; for lists of any length there is engine/paths/path_input.h.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/policy.h"

namespace airlock {

// The source as bytes; "-" is standard input. One that is too long is cut: the vetter says so.
Result<std::string> read_source_file(const std::string& file, const Policy& policy);

// One path a line, empty lines left out; "-" is standard input. An Error for a file without any.
Result<std::vector<std::string>> read_samples(const std::string& file);

}  // namespace airlock
