// The two forms of a diagnosis, which `airlock doctor` prints: every wall with its reason, the
// attacks that were tried on it and how each ended, and what to change on this host. Pure
// functions.
#pragma once

#include <string>

#include "engine/doctor/doctor.h"
#include "present/report/style.h"

namespace airlock::cli {

std::string diagnosis_as_text(const Diagnosis& diagnosis, Colour colour);
std::string diagnosis_as_json(const Diagnosis& diagnosis);

}  // namespace airlock::cli
