// What a gathering leaves on the user's disk when asked to: the report, and the artifacts.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "probe/gather.h"

namespace airlock::probe {

Result<void> write_report_file(const std::string& file, std::string_view report);

// Each as FOLDER/<probe>/<name>, 0600; the folder is made when it is missing.
Result<void> write_artifacts(const std::string& folder, const GatherReport& report);

}  // namespace airlock::probe
