// What `airlock wizard --batch` prints.
#pragma once

#include <string>

#include "wizard/sheet.h"

namespace airlock::cli {

std::string wizard_as_json(const wizard::Sheet& sheet);

}  // namespace airlock::cli
