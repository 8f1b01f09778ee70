// What `airlock wizard --batch` prints: the state at the end as one document. All text in it is
// valid UTF-8, also where paths are not. Members are there in every phase; what does not apply is
// null. `would_send` is the exception: it is there only while consent is asked for.
#pragma once

#include <string>

#include "wizard/wizard_state.h"

namespace airlock::cli {

std::string wizard_as_json(const wizard::WizardState& state);

}  // namespace airlock::cli
