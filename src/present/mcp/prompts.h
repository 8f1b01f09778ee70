// Prompts that a person picks in a client: they ask a model for an extractor, in the words that the
// wizard asks with (wizard/prompts.h), secrets and names of users taken out of the paths.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "admit/json_members.h"
#include "present/mcp/message.h"
#include "present/serve/resident.h"

namespace airlock::mcp {

// The members of results.
std::string prompts_as_json();
std::expected<std::string, Fault> prompt_as_json(std::string_view name,
                                                 const JsonMembers& arguments,
                                                 const serve::Resident& resident);

}  // namespace airlock::mcp
