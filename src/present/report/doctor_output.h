// The two forms of a diagnosis.
#pragma once

#include <string>

#include "engine/doctor/doctor.h"
#include "present/report/check_output.h"

namespace airlock::cli {

std::string diagnosis_as_text(const Diagnosis& diagnosis, Colour colour);
std::string diagnosis_as_json(const Diagnosis& diagnosis);

}  // namespace airlock::cli
