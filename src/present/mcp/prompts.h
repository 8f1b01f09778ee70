// Prompts that a person picks in a client. Airlock's own asks a model for an extractor, in the
// words that the wizard asks with (wizard/prompts.h), secrets and names of users taken out of the
// paths.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "admit/json_members.h"
#include "present/mcp/message.h"
#include "present/serve/resident.h"

namespace airlock::mcp {

struct PromptArgument {
  std::string_view name;
  std::string_view about;
  bool is_required = false;
};

struct Prompt {
  std::string_view name;
  std::string_view title;
  std::string_view about;
  std::span<const PromptArgument> arguments;
  // What is said: a list, as JSON. A Fault: the arguments are wrong.
  std::expected<std::string, Fault> (*messages)(const JsonMembers& arguments,
                                                const serve::Resident& resident);
};

std::span<const Prompt> airlock_prompts();

// The members of results.
std::string prompts_as_json(std::span<const Prompt> prompts);
std::expected<std::string, Fault> prompt_as_json(std::span<const Prompt> prompts,
                                                 std::string_view name,
                                                 const JsonMembers& arguments,
                                                 const serve::Resident& resident);

}  // namespace airlock::mcp
