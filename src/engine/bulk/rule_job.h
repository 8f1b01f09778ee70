// `airlock extract RULE.yaml` without its output. Rules are data that cannot run code, so no
// chamber is needed.
//
// Threads: the calling thread reads the input and writes the rows; with `jobs` > 1, that many
// threads match. If the system gives fewer threads, fewer are used; with none, the calling thread
// matches. Rows come out in input order. Memory is bounded: a few batches for each thread exist and
// are reused.
//
// Failure: as for extract.h; a thread that runs out of memory fails the job.
#pragma once

#include <cstddef>
#include <expected>

#include "engine/bulk/extract.h"
#include "engine/paths/path_input.h"
#include "rules/match/matcher.h"

namespace airlock {

// Ends in good order when a signal comes that the program notes (os/interrupts.h). `jobs` of 1: no
// thread is made.
Result<JobEnd> run_rules(const rules::Matcher& matcher, std::size_t jobs, PathInput& input,
                         const Share& share, RowSink& sink, const Watcher& watcher);

}  // namespace airlock
