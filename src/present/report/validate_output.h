// The two ways to print a Validation: for `airlock validate`, and for drafts and approvals, which
// validate as well. Pure functions: the validation in, the bytes for stdout out.
#pragma once

#include <string>

#include "model/validation.h"
#include "present/report/style.h"

namespace airlock::cli {

// The contract's document.
std::string validation_as_json(const Validation& validation);
// For people: the stages as a tree, then each sample with what came out, then warnings or what to
// fix.
std::string validation_as_text(const Validation& validation, const std::string& file,
                               Colour colour);

}  // namespace airlock::cli
