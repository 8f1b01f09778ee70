// Which probes can never run because of what they require: a name that nobody has, a cycle, a base
// probe that waits for a later one. Asked once, when all descriptions are known; what is left has
// no cycle, so the coordinator always finds a probe that can begin. Pure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probe/probe_info.h"

namespace airlock::probe {

// A requirement that cannot be met. When the required probe is missing, the caller left it out, and
// the probe is skipped. A cycle, or a base probe that waits for a later one, is the probe's
// mistake.
struct UnmetRequirement {
  bool is_mistake = false;
  std::string why;  // "a → b → a is a cycle"
};

// For each of `probes`, in their order. `built_in`: names that are there in any case, and base.
std::vector<std::optional<UnmetRequirement>> unmet_requirements(
    std::span<const ProbeInfo> probes, std::span<const std::string_view> built_in);

}  // namespace airlock::probe
