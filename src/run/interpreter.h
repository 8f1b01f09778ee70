// Which interpreter would run the code: asked of airlock-host itself, since the python3 on PATH may
// be another one. Part of every receipt (engine/approve), so that a new interpreter is noticed.
#pragma once

#include <string>

#include "base/result.h"

namespace airlock::run {

// "CPython 3.11.2 (main, …) [GCC 12.2.0]": version, build and compiler, as airlock-host has them in
// it. On one line; an Error when it cannot be asked.
Result<std::string> interpreter_of(const std::string& host_program);

}  // namespace airlock::run
