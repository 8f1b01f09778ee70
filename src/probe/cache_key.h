// Under which name a probe's output is kept: one hash over everything that it depends on, each part
// with its length, so that no two lists of parts look alike. A change of one probe changes no
// other's key. What is not part of it must not change an output: the machine, the time, other
// probes. Pure.
#pragma once

#include <string>
#include <string_view>

#include "probe/probe_info.h"

namespace airlock::probe {

// `source`: of the file; a probe that was edited without a new version is another probe.
// `inputs`: InputHasher's. `own`: what the probe's cache_key() added.
// What the source mentions of the snapshot (git_commit, detected_languages) is a part, too.
std::string cache_key(const ProbeInfo& info, std::string_view source, std::string_view inputs,
                      std::string_view own, const Snapshot& snapshot);

// The key of a probe's description. It depends on the source alone.
std::string description_key(std::string_view source);

}  // namespace airlock::probe
