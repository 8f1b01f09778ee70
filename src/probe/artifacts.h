// The raw artifacts that a probe names: real files inside its output folder, read when the probe is
// gone, and redacted. Names and bytes are hostile: a name may try to lead out of the folder, a file
// may be a link, a pipe or full of holes. Called by inner_door.h.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "admit/redact_file.h"
#include "base/fd.h"
#include "base/result.h"
#include "model/admitted.h"

namespace airlock::probe {

// Of one probe.
inline constexpr std::size_t kMostArtifacts = 1000;

// Whether a name stays inside the folder it is in: relative, no empty part, no "." or "..".
bool is_inner_name(std::string_view name);

// The names under raw_artifacts of a probe's output.
std::vector<std::string> artifact_names(const Admitted& output);

// What later steps need from an output that has passed the door, read from its JSON once. Empty
// when the text is no output.
struct OutputFacts {
  std::vector<std::string> artifacts;  // the names under raw_artifacts
  std::string confidence;
  std::map<std::string, std::uint64_t> languages;  // bytes of each; what base probes detect
};
OutputFacts facts_of_output(std::string_view json);

// An Error is the probe's fault, in words for its author; also when it is not done at `end`.
Result<std::vector<RedactedFile>> read_artifacts(const std::vector<std::string>& names,
                                                 const Fd& folder, FileRedactor& redactor,
                                                 std::chrono::steady_clock::time_point end);

}  // namespace airlock::probe
