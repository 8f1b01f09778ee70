// What a server has for its clients: tables, so that the service and its transports know no row of
// them.
#pragma once

#include <span>

#include "present/mcp/prompts.h"
#include "present/mcp/resources.h"
#include "present/mcp/tool.h"

namespace airlock::mcp {

struct Offer {
  std::span<const Tool> tools;
  std::span<const Prompt> prompts;
  Resources resources;
};

// Airlock's own.
Offer airlock_offer();

}  // namespace airlock::mcp
