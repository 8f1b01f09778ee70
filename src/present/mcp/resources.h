// What a client may read: the rules with their pages, the policies of this server, drafts, approved
// extractors, runs. Each kind is a shelf: airlock://SHELF lists it, airlock://SHELF/KEY is one of
// it. Read-only; what is kept is read anew each time.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "present/mcp/freshness.h"
#include "present/serve/resident.h"

namespace airlock::mcp {

// The members of results.
Result<std::string> resources_as_json(const serve::Resident& resident);
std::string resource_templates_as_json();

struct ReadResource {
  std::string contents;  // "contents": […]
  Freshness freshness;
};
// Nothing: there is none at this address.
Result<std::optional<ReadResource>> read_resource(std::string_view uri,
                                                  const serve::Resident& resident);

}  // namespace airlock::mcp
