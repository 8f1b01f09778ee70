// What `airlock admit` prints: a refusal as JSON or for people, and what was taken out of a
// document that passed. The document itself is printed as it is. Pure functions; nothing here
// repeats a value of the document, only places and types.
#pragma once

#include <string>
#include <string_view>

#include "model/admitted.h"
#include "model/not_admitted.h"
#include "present/report/style.h"

namespace airlock::cli {

// The contract's document: {"admitted": false, "errors": […]}, and "more_errors" when not all are
// listed.
std::string refusal_as_json(const NotAdmitted& refusal);
// For people: each error with its place.
std::string refusal_as_text(const NotAdmitted& refusal, std::string_view file, Colour colour);
// For people, beside the document: what was taken out of it. Empty when nothing was.
std::string changes_as_text(const Sanitized& sanitized, Colour colour);

}  // namespace airlock::cli
