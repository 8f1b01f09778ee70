// What a gathering leaves on the user's disk when asked to, beside its report: the log, the
// artifacts. Files are put in place whole. The can_…() functions are asked before the work, so that
// minutes of probing do not end at a folder that cannot be written to.
#pragma once

#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "model/admitted.h"

namespace airlock::probe {

// To add lines to; made when it is missing. A pipe or a device with a name is an Error.
Result<Fd> open_log(const std::string& file);

// 0700; one that is there already is fine.
Result<void> make_artifact_folder(const std::string& folder);
// To be asked before the work: the Error that making it would give. Leaves nothing behind.
Result<void> can_make_artifact_folder(const std::string& folder);
// As FOLDER/<probe>/<name>, 0600; the folder is made when it is missing.
Result<void> write_artifact(const std::string& folder, const std::string& probe,
                            const RedactedFile& file);

}  // namespace airlock::probe
