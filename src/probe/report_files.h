// What a gathering leaves on the user's disk when asked to: the report, and the artifacts.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/admitted.h"

namespace airlock::probe {

Result<void> write_report_file(const std::string& file, std::string_view report);

Result<void> make_artifact_folder(const std::string& folder);
// As FOLDER/<probe>/<name>, 0600; the folder is made when it is missing.
Result<void> write_artifact(const std::string& folder, const std::string& probe,
                            const RedactedFile& file);

}  // namespace airlock::probe
