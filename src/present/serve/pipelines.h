// The commands as requests: bodies in, the commands' own JSON out. Everything but sessions.
//
// A request names no file of the server's: sources, documents and paths come along, policies are
// those that the server was started with, and an extractor is a source or the name of one that was
// approved here. What was judged and refused is a result; an Error is a request that cannot be
// understood, or our own trouble.
#pragma once

#include <stop_token>
#include <string>

#include "base/result.h"
#include "engine/bulk/kept_extractors.h"
#include "present/serve/request.h"
#include "present/serve/resident.h"

namespace airlock::serve {

// check, validate, admit, infer, extract, schema. The result as JSON on one line. What is kept
// between batches is kept for `client`. `stop` ends it, with an Error.
Result<std::string> perform_pipeline(const Request& request, Resident& resident,
                                     KeptExtractors::ClientId client, const std::stop_token& stop);

}  // namespace airlock::serve
