// `airlock extract RULE.yaml` without its screen. Rules are data, so no chamber is needed: threads
// of ours match, one thread reads and writes. Rows come out in input order, and memory stays flat:
// a few batches for each thread are under way, and are used again.
#pragma once

#include <cstddef>
#include <expected>

#include "engine/bulk/extract.h"
#include "engine/paths/path_input.h"
#include "rules/match/matcher.h"

namespace airlock {

// Notes SIGINT and SIGTERM from now on, and ends in good order when one comes. `jobs` of 1: no
// thread is made.
std::expected<JobEnd, JobTrouble> run_rules(const rules::Matcher& matcher, std::size_t jobs,
                                            PathInput& input, const Share& share, RowSink& sink,
                                            const Watcher& watcher);

}  // namespace airlock
