// What a client may read. Of Airlock: the rules with their pages, the policies of this server,
// drafts, approved extractors, runs. Each kind is a shelf: airlock://SHELF lists it,
// airlock://SHELF/KEY is one of it. Read-only; what is kept is read anew each time.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "present/mcp/freshness.h"
#include "present/serve/resident.h"

namespace airlock::mcp {

struct ReadResource {
  std::string contents;  // "contents": […]
  Freshness freshness;
};

// All give the members of results.
struct Resources {
  Result<std::string> (*list)(const serve::Resident& resident);
  std::string (*templates)();
  // Nothing: there is none at this address.
  Result<std::optional<ReadResource>> (*read)(std::string_view uri,
                                              const serve::Resident& resident);
};

Resources airlock_resources();

}  // namespace airlock::mcp
