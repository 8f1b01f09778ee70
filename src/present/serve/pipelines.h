// The commands as requests: bodies in, the commands' own JSON out. Everything but sessions.
#pragma once

#include <string>

#include "base/result.h"
#include "present/serve/request.h"
#include "present/serve/resident.h"

namespace airlock::serve {

// check, validate, admit, infer, extract. The result as JSON on one line.
Result<std::string> perform_pipeline(const Request& request, Resident& resident);

}  // namespace airlock::serve
