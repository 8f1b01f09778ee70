#include "present/mcp/offer.h"

#include "present/mcp/tools.h"

namespace airlock::mcp {

Offer airlock_offer() {
  return {.tools = airlock_tools(), .prompts = airlock_prompts(), .resources = airlock_resources()};
}

}  // namespace airlock::mcp
