// The analysed repository by every name that a probe may have written: what the sanitizer takes out
// of paths (admit/scrub_text.h).
#pragma once

#include <string>
#include <vector>

namespace airlock {

// As it was given, made absolute, and where its links lead. It need not exist; a Windows path stays
// as it is. Empty for an empty name.
std::vector<std::string> root_names(const std::string& root);

}  // namespace airlock
