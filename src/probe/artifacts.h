// The raw artifacts that a probe names: real files inside its output folder, read when the probe is
// gone, and redacted.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "admit/redact_file.h"
#include "base/fd.h"
#include "base/result.h"
#include "model/admitted.h"

namespace airlock::probe {

inline constexpr std::size_t kMostArtifacts = 1000;

// Whether a name stays inside the folder it is in: relative, no empty part, no "." or "..".
bool is_inner_name(std::string_view name);

// The names under raw_artifacts of a probe's output.
std::vector<std::string> artifact_names(const Admitted& output);
// The same of one that was kept, as its JSON; nothing when it is none.
std::vector<std::string> artifact_names(std::string_view json);

// An Error is the probe's fault, in words for its author; also when it is not done at `end`.
Result<std::vector<RedactedFile>> read_artifacts(const std::vector<std::string>& names,
                                                 const Fd& folder, FileRedactor& redactor,
                                                 std::chrono::steady_clock::time_point end);

}  // namespace airlock::probe
