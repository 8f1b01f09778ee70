// What `airlock wizard --batch` prints.
#pragma once

#include <string>

#include "wizard/wizard_state.h"

namespace airlock::cli {

std::string wizard_as_json(const wizard::WizardState& state);

}  // namespace airlock::cli
