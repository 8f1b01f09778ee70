// The two forms of a diagnosis.
#pragma once

#include <string>

#include "engine/doctor.h"
#include "present/cli/check_output.h"

namespace airlock::cli {

std::string diagnosis_as_text(const Diagnosis& diagnosis, Colour colour);
std::string diagnosis_as_json(const Diagnosis& diagnosis);

}  // namespace airlock::cli
