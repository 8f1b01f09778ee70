// `airlock gather` without its output: a repository and probes in, what each probe reported out.
// For each probe: describe → applies? → cache key → cache, or run → admit → sanitize → keep. The
// file to read first about probes.
//
// Processes and threads: each probe has a thread (probe_worker.h) and a chamber of its own, which
// no other code ever uses. Up to `jobs` probes work at a time. Workers post answers to one mailbox;
// the calling thread takes them, decides, uses the store and calls all callbacks.
//
// Trust: a probe's source and answers are hostile. Its output and artifacts pass the inner door
// (inner_door.h) before anybody sees them; what comes from the cache passes it again.
//
// Failure: every probe that was named has exactly one Execution. A probe that fails, or an
// exception on our side of one, ends that probe alone. A store that cannot be used is reported in
// `troubles` and costs the cache and the record, never an output.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/admitted.h"
#include "model/policy.h"
#include "model/run_record.h"
#include "probe/gather_store.h"

namespace airlock::probe {

// A probe's file and its contents.
struct ProbeSource {
  std::string file;  // as it was named
  std::string text;
};

// How one probe ended.
struct Execution {
  ExecutionRecord record;
  std::string output;      // JSON, sanitized; empty: it has none
  std::string confidence;  // of the output
  std::string printed;     // what a probe that failed wrote to its streams, scrubbed
};

struct GatherRequest {
  std::string repository;
  std::vector<ProbeSource> probes;
  std::string task = "default";
  Policy policy;  // `probe`, or one that extends it
  std::string host_program;
  std::uint32_t memory_bytes = 512 * 1000 * 1000;
  std::uint32_t longest_ms = 86'400'000;  // no probe gets more, whatever it says
  std::size_t jobs = 1;                   // probes at work at the same time
  StoreOptions store;
  // Files and folders of the caller's own (its report, its log) that are no part of the repository,
  // should they lie in it. Those of the store are left out in any case.
  std::vector<std::string> left_out;
  // Called when the run has a name, and whenever a probe has ended, on the calling thread.
  std::function<void(const std::string& run)> on_begin;
  std::function<void(const Execution&)> on_end;
  // For each artifact of a probe that has passed, before its on_end.
  std::function<void(const std::string& probe, const RedactedFile& file)> on_artifact;
};

// Complete: every probe that was named has its Execution here, whatever became of it.
struct GatherReport {
  std::string run_id;
  std::string repository;  // its name
  std::string task;
  std::vector<Execution> executions;  // built-in ones first, then as the probes were named
  std::size_t artifacts = 0;
  std::vector<std::string> troubles;  // of the store; the outputs are whole all the same
};

// Whether one of the probes that were asked for has an output that passed, or none has failed.
bool has_result(const GatherReport& report, std::size_t asked_for);

// An Error: the repository cannot be read, or no code can be run on this host (and none was).
Result<GatherReport> gather(const GatherRequest& request);

}  // namespace airlock::probe
