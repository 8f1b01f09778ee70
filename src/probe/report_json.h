// What a run of probes found, as JSON: the one form of it, for `airlock gather` and for probe
// nodes.
#pragma once

#include <cstdint>
#include <string>

#include "probe/gather.h"

namespace airlock::probe {

enum class ReportLayout : std::uint8_t { kLines, kOneLine };

// {"run_id": …, "executions": {…}, "outputs": {…}}. Outputs are JSON already, and sanitized: they
// are not read again.
std::string report_json(const GatherReport& report, ReportLayout layout);

}  // namespace airlock::probe
