// Policies, by built-in name or from a TOML file that extends a built-in one.
//
// A policy file is written by the user of this machine, and is still read defensively: at most 1
// MiB, and with a bounded number of dots in keys. Entries that would make the scan pointless are
// refused (never_allowed.h). A file can widen what the scan allows; it cannot lower the kernel's
// walls.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/policy.h"

namespace airlock {

// `name_or_file`: "extractor", or the path of a TOML file (anything with a '/' or ending in
// ".toml"). Every mistake in the file is reported at once, each with its line, what is wrong and
// what is expected (did-you-mean for unknown keys).
Result<Policy> load_policy(std::string_view name_or_file);
// The same for code that is given paths: a policy for probes is refused, they are given a
// repository.
Result<Policy> load_extractor_policy(std::string_view name_or_file);
Result<void> require_for_extractors(const Policy& policy);

// The same from text; `file` is only for messages. Used by load_policy, tests and the fuzzer.
Result<Policy> parse_policy(std::string_view toml, std::string_view file);

}  // namespace airlock
