// airlock clean.
#pragma once

#include <span>
#include <string>

#include "present/cli/program.h"

namespace airlock::cli {

Result<int> clean_command(std::span<const std::string> arguments, const Environment& environment);

}  // namespace airlock::cli
