// What `airlock gather` prints: one JSON document, a page for people, or a line for each event.
// Facts have passed the inner door before they come here; they are still made safe for a terminal.
// Pure functions, but for the time in a log line.
#pragma once

#include <string>

#include "present/report/style.h"
#include "probe/gather.h"

namespace airlock::cli {

std::string gather_as_json(const probe::GatherReport& report);
std::string gather_as_text(const probe::GatherReport& report, Colour colour);

// One line of JSON: {"time": …, "event": "probe.success", …}.
std::string gather_log_line(const std::string& run, const probe::Execution& execution);

}  // namespace airlock::cli
