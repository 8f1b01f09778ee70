// airlock clean: prints the code in a model's answer, as `airlock check` would judge it. Runs
// nothing.
#pragma once

#include <span>
#include <string>

#include "present/cli/program.h"

namespace airlock::cli {

Result<int> clean_command(std::span<const std::string> arguments, const Environment& environment);

}  // namespace airlock::cli
